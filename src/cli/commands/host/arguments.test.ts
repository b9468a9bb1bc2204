import { expect, test } from 'vitest';
import { applyLabelChanges, formatLabels, parseLabelChanges } from './arguments.ts';

test('labels are told as they are typed, also without a value', () => {
  const labels = { role: 'db', spot: '' };
  const text = formatLabels(labels);
  expect(text).toBe('role=db, spot=');
  expect(applyLabelChanges({}, parseLabelChanges(text.split(', ')))).toEqual(labels);
});
