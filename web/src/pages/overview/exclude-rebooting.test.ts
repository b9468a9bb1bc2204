import { expect, test } from 'vitest';
import { excludeRebooting } from './exclude-rebooting.ts';

test.each<[reason: string, isIncluded: boolean]>([
  ['unreachable: no route to the host', true],
  ['timed_out: no response within 10 s, perhaps rebooting: look', true],
  ['rebooting_is_no_word: x', true],
  ['', true],
  ['rebooting: requested by restart WyzVWrRqLeNReH6i', false],
])('a host with the reason %j is troubled: %s', (reason, isIncluded) => {
  expect(excludeRebooting([{ reason }])).toHaveLength(isIncluded ? 1 : 0);
});
