import { expect, test } from 'vitest';
import states from '../../../../docs/reference/host-reasons.md?raw';
import { explainStatus, REASON_WORDS, reasonWord } from './reason-words.ts';

test('each reason that docs/reference/host-reasons.md tells of is explained', () => {
  const [, section = ''] = /## Why a host failed\n([\s\S]*?)\n### /.exec(states) ?? [];
  const words = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(10);
  // It has a section of its own there.
  expect(Object.keys(REASON_WORDS).sort()).toEqual([...words, 'rebooting'].sort());
});

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
  expect(explainStatus('failed', 'constructor: x').advice).toContain('bootstrap the host again');
});
