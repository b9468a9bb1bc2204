import { expect, test } from 'vitest';
import { changedLabels, hasLabel, labelLines, labelsIn, labelTexts, readLabelLines } from './labels.ts';

test('a label without a value is its key', () => {
  expect(labelTexts({ zone: 'a1', spot: '' })).toEqual(['zone=a1', 'spot']);
});

test('labels are read from lines and with commas, also without a value', () => {
  expect(readLabelLines(' zone = a1\n\nspot, url=a=b\n')).toEqual({ zone: 'a1', spot: '', url: 'a=b' });
});

test('what is written is read as it was', () => {
  const labels = { zone: 'a1', spot: '' };
  expect(readLabelLines(labelLines(labels))).toEqual(labels);
});

test.each<[what: unknown, labels: object]>([
  [
    { zone: 'a1', spot: '' },
    { zone: 'a1', spot: '' },
  ],
  [{ zone: 7 }, { zone: '' }],
  [null, {}],
  [undefined, {}],
  ['zone', {}],
])('an event that says %j has the labels %j', (what, labels) => {
  expect(labelsIn(what)).toEqual(labels);
});

test.each([
  ['zone', true],
  ['zone=a1', true],
  ['zone=', false],
  ['spot=', true],
  ['constructor', false],
])('whether a host has the label %s: %s', (wanted, isThere) => {
  expect(hasLabel(wanted)({ labels: { zone: 'a1', spot: '' } })).toBe(isThere);
});

test('labels are set and taken away, and others stay', () => {
  expect(changedLabels({ zone: 'a1', spot: '', rack: 'r1' }, { zone: 'b' }, ['spot', 'no'])).toEqual({
    ...{ zone: 'b', rack: 'r1' },
  });
});
