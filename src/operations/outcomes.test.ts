import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../domain/transport-failure.ts';
import { FAILURE_KINDS, TransportFailure } from '../domain/transport-failure.ts';
import { afterBadExit, afterFailure } from './outcomes.ts';

const bytes = (text: string) => Buffer.from(text);
const badExit = (stderr: string, stdout = '') =>
  afterBadExit(['apt-get', 'install'], { exitCode: 100, stderr: bytes(stderr), stdout: bytes(stdout) });

describe('what follows when a host could not be spoken to', () => {
  const KINDS: Readonly<Record<FailureKind, string>> = {
    unreachable: 'again',
    timed_out: 'again',
    auth_rejected: 'failed',
    host_key_changed: 'failed',
  };

  test.each(FAILURE_KINDS)('%s', kind => {
    expect(afterFailure(new TransportFailure(kind, 'no')).kind).toBe(KINDS[kind]);
  });

  test('another host key is learnt, and the host is distrusted', () => {
    expect(afterFailure(new TransportFailure('host_key_changed', 'no', 'ssh-ed25519 AAAA'))).toMatchObject({
      learned: { cause: 'distrusted', offeredKey: 'ssh-ed25519 AAAA' },
    });
  });
});

describe('a command that ended badly', () => {
  test.each([
    ['its last line of complaint is quoted', 'a\nE: no space left\n\n', '', 'E: no space left'],
    ['without a complaint, what it said last', '', 'one\ntwo\n', 'two'],
    ['a bar that overwrites itself is many lines', '10%\r20%\r30%', '', '30%'],
    ['what would steer a terminal is left out', '\u001b[31mred\u001b[0m \u202e\u0007', '', '[31mred[0m'],
  ])('%s', (_what, stderr, stdout, quote) => {
    expect(badExit(stderr, stdout)).toEqual({
      kind: 'again',
      problem: `command_failed: apt-get ended with 100: ${quote}`,
    });
  });

  test('says nothing of it when it said nothing', () => {
    expect(badExit('')).toEqual({ kind: 'again', problem: 'command_failed: apt-get ended with 100' });
  });

  test('is not quoted at length', () => {
    const { problem } = badExit('x'.repeat(100_000)) as { problem: string };
    expect(problem.length).toBeLessThan(300);
  });
});
