import { expect, test } from 'vitest';
import { troubled } from './troubled.ts';

test.each<[reason: string, isTroubled: boolean]>([
  ['unreachable: no route to the host', true],
  ['timed_out: no response within 10 s, perhaps rebooting: look', true],
  ['rebooting_is_no_word: x', true],
  ['', true],
  ['rebooting: requested by restart WyzVWrRqLeNReH6i', false],
])('a host with the reason %j is troubled: %s', (reason, isTroubled) => {
  expect(troubled([{ reason }])).toHaveLength(isTroubled ? 1 : 0);
});
