import { expect, test } from 'vitest';
import { applyLabelChanges, formatLabels, parseLabelChanges } from './arguments.ts';

test('formatLabels() returns the syntax that parseLabelChanges() reads, also for an empty value', () => {
  const labels = { role: 'db', spot: '' };
  const text = formatLabels(labels);
  expect(text).toBe('role=db, spot=');
  expect(applyLabelChanges({}, parseLabelChanges(text.split(', ')))).toEqual(labels);
});
