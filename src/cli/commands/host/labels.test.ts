import { expect, test } from 'vitest';
import { changedLabels, labelsText, readLabelChanges } from './labels.ts';

test('labels are told as they are typed, also without a value', () => {
  const labels = { role: 'db', spot: '' };
  const text = labelsText(labels);
  expect(text).toBe('role=db, spot=');
  expect(changedLabels({}, readLabelChanges(text.split(', ')))).toEqual(labels);
});
