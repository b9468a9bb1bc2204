import { expect, test } from 'vitest';
import { getStatusHelp, parseReasonCode } from './status-help.ts';

test.each([
  ['timed_out: no response within 10 s', 'timed_out'],
  ['not_root', 'not_root'],
  ['Something else', ''],
  ['', ''],
])('the word of %j is %j', (reason, code) => {
  expect(parseReasonCode(reason)).toBe(code);
});

test('a reason says it more exactly than the status; one that nobody knows leaves it to the status', () => {
  expect(getStatusHelp('unreachable', 'auth_rejected: no').action).toContain('authorized_keys');
  expect(getStatusHelp('unreachable', 'moon_phase: full').action).toContain('recovers automatically');
  expect(getStatusHelp('failed', 'constructor: x').action).toContain('retry the bootstrap');
});
