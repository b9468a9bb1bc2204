import { expect, test } from 'vitest';
import { getOperationSeverity } from './status-severity.ts';

test.each([
  ['finished', 0, 'good'],
  ['finished', 1, 'warn'],
  ['failed', 1, 'bad'],
  ['running', 1, 'busy'],
] as const)('getOperationSeverity() of %s with %i failed hosts is %s', (state, failed, severity) => {
  expect(getOperationSeverity(state, { failed })).toBe(severity);
});
