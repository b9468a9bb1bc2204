import { expect, test } from 'vitest';
import { concernsCredentials, getStatusHelp, parseReasonCode } from './status-help.ts';

test.each([
  ['timed_out: no response within 10 s', 'timed_out'],
  ['not_root', 'not_root'],
  ['Something else', ''],
  ['', ''],
])('parseReasonCode of %j is %j', (reason, code) => {
  expect(parseReasonCode(reason)).toBe(code);
});

test('getStatusHelp prefers the help of a known reason to the help of the status', () => {
  expect(getStatusHelp('unreachable', 'auth_rejected: no').action).toContain('authorized_keys');
  expect(getStatusHelp('unreachable', 'unknown_reason: x').action).toContain('recovers automatically');
  expect(getStatusHelp('failed', 'constructor: x').action).toContain('retry the bootstrap');
});

test.each([
  ['auth_rejected: permission denied', true],
  ['not_root', true],
  ['timed_out: no response within 10 s', false],
  ['', false],
])('other credentials can fix %j: %s', (reason, canFix) => {
  expect(concernsCredentials(reason)).toBe(canFix);
  expect(/credentials/.test(getStatusHelp('failed', reason).action)).toBe(canFix);
});
