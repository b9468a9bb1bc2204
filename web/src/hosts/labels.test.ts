import { expect, test } from 'vitest';
import { formatLabelLines, formatLabels, hasLabel, parseLabelLines, parseLabels, updateLabels } from './labels.ts';

test('formatLabels writes only the key of a label without a value', () => {
  expect(formatLabels({ zone: 'a1', spot: '' })).toEqual(['zone=a1', 'spot']);
});

test('parseLabelLines parses lines and commas, with and without values', () => {
  expect(parseLabelLines(' zone = a1\n\nspot, url=a=b\n')).toEqual({ zone: 'a1', spot: '', url: 'a=b' });
});

test('parseLabelLines parses the output of formatLabelLines', () => {
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
])('parseLabels parses %j as %j', (value, labels) => {
  expect(parseLabels(value)).toEqual(labels);
});

test.each([
  ['zone', true],
  ['zone=a1', true],
  ['zone=', false],
  ['spot=', true],
  ['constructor', false],
])('hasLabel(%s) returns %s', (selector, expected) => {
  expect(hasLabel(selector)({ labels: { zone: 'a1', spot: '' } })).toBe(expected);
});

test('updateLabels sets and removes labels and keeps the others', () => {
  expect(updateLabels({ zone: 'a1', spot: '', rack: 'r1' }, { zone: 'b' }, ['spot', 'no'])).toEqual({
    ...{ zone: 'b', rack: 'r1' },
  });
});
