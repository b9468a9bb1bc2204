import { expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { sessionEnds } from './session-ends.ts';

test.each([
  ['a sign-out', { type: 'account.signed_out', dataJson: '{"sessions":["s"]}' }, 1],
  ['a sign-in', { type: 'account.signed_in', dataJson: '{"session":"s"}' }, 0],
  ['what is no list of sessions', { type: 'account.signed_out', dataJson: '{"sessions":"s"}' }, 0],
  ['something else', {}, 0],
] as const)('that sessions have ended is told once for all that is new: %s', (_what, entry, times) => {
  let told = 0;
  sessionEnds(() => {
    told += 1;
  })([logged(1, entry), logged(2), logged(3, entry)]);
  expect(told).toBe(times);
});
