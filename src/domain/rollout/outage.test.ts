import { expect, test } from 'vitest';
import { describeOutage, outageError } from './outage.ts';

const since = '2026-11-16T12:03:05.000000';

test.each([
  [
    { reason: 'failed', since, detail: 'auth_rejected: no' },
    'failed since 2026-11-16 12:03:05 UTC: auth_rejected: no',
    'failed: since 2026-11-16 12:03:05 UTC: auth_rejected: no',
  ],
  [
    { reason: 'investigating', since, detail: '' },
    'being investigated since 2026-11-16 12:03:05 UTC',
    'investigating: since 2026-11-16 12:03:05 UTC',
  ],
  [{ reason: 'maintenance', since: null, detail: '' }, 'in maintenance', 'maintenance'],
] as const)('the outage %j is described as "%s" and as the error "%s"', (outage, text, error) => {
  expect(describeOutage(outage)).toBe(text);
  expect(outageError(outage)).toBe(error);
});
