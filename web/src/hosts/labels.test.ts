import { expect, test } from 'vitest';
import {
  formatLabelLines,
  formatLabels,
  hasLabel,
  parseLabelLines,
  parseLabels,
  updateLabels,
} from './labels.ts';

test('a label without a value is its key', () => {
  expect(formatLabels({ zone: 'a1', spot: '' })).toEqual(['zone=a1', 'spot']);
});

test('labels are read from lines and with commas, also without a value', () => {
  expect(parseLabelLines(' zone = a1\n\nspot, url=a=b\n')).toEqual({ zone: 'a1', spot: '', url: 'a=b' });
});

test('what is written is read as it was', () => {
  const labels = { zone: 'a1', spot: '' };
  expect(parseLabelLines(formatLabelLines(labels))).toEqual(labels);
});

test.each<[value: unknown, labels: object]>([
  [
    { zone: 'a1', spot: '' },
    { zone: 'a1', spot: '' },
  ],
  [{ zone: 7 }, { zone: '' }],
  [null, {}],
  [undefined, {}],
  ['zone', {}],
])('an event that says %j has the labels %j', (value, labels) => {
  expect(parseLabels(value)).toEqual(labels);
});

test.each([
  ['zone', true],
  ['zone=a1', true],
  ['zone=', false],
  ['spot=', true],
  ['constructor', false],
])('whether a host has the label %s: %s', (selector, isThere) => {
  expect(hasLabel(selector)({ labels: { zone: 'a1', spot: '' } })).toBe(isThere);
});

test('labels are set and taken away, and others stay', () => {
  expect(updateLabels({ zone: 'a1', spot: '', rack: 'r1' }, { zone: 'b' }, ['spot', 'no'])).toEqual({
    ...{ zone: 'b', rack: 'r1' },
  });
});
