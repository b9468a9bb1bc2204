import { expect, test } from 'vitest';
import { excludeRebooting } from './exclude-rebooting.ts';

test.each<[reason: string, isIncluded: boolean]>([
  ['unreachable: no route to the host', true],
  ['timed_out: no response within 10 s, perhaps rebooting: check', true],
  ['rebooting_other: x', true],
  ['', true],
  ['rebooting: requested by restart WyzVWrRqLeNReH6i', false],
])('excludeRebooting with the reason %j keeps the host: %s', (reason, isIncluded) => {
  expect(excludeRebooting([{ reason }])).toHaveLength(isIncluded ? 1 : 0);
});
