import { expect, test } from 'vitest';
import { explainStatus, reasonWord } from './reason-words.ts';

test.each([
  ['timed_out: no response within 10 s', 'timed_out'],
  ['not_root', 'not_root'],
  ['Something else', ''],
  ['', ''],
])('the word of %j is %j', (reason, word) => {
  expect(reasonWord(reason)).toBe(word);
});

test('a reason says it more exactly than the status; one that nobody knows leaves it to the status', () => {
  expect(explainStatus('unreachable', 'auth_rejected: no').advice).toContain('authorized_keys');
  expect(explainStatus('unreachable', 'moon_phase: full').advice).toContain('recovers automatically');
  expect(explainStatus('failed', 'constructor: x').advice).toContain('retry the bootstrap');
});
