import { expect, test } from 'vitest';
import { changedLabels, labelLines, readLabelLines } from './label-lines.ts';

test('labels are read from lines and with commas, also without a value', () => {
  expect(readLabelLines(' zone = a1\n\nspot, url=a=b\n')).toEqual({ zone: 'a1', spot: '', url: 'a=b' });
});

test('what is written is read as it was', () => {
  const labels = { zone: 'a1', spot: '' };
  expect(readLabelLines(labelLines(labels))).toEqual(labels);
});

test('labels are set and taken away, and others stay', () => {
  expect(changedLabels({ zone: 'a1', spot: '', rack: 'r1' }, { zone: 'b' }, ['spot', 'no'])).toEqual({
    ...{ zone: 'b', rack: 'r1' },
  });
});
