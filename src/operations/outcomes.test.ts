import { describe, expect, test } from 'vitest';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { FailureKind } from '../domain/transport-failure.ts';
import { FAILURE_KINDS, TransportFailure } from '../domain/transport-failure.ts';
import type { JobResult } from './jobs/run-job.ts';
import { afterFailure, afterJob, again, askManager, done, failed, retryOnScriptError } from './outcomes.ts';
import { ScriptError } from './script-error.ts';

const bytes = (text: string) => Buffer.from(text);
const after = (result: JobResult) => afterJob(['apt-get', 'install'], result);
const badExit = (output: string) => after({ kind: 'ended', exitCode: 100, output: bytes(output) });

describe('what follows when a host could not be spoken to', () => {
  const KINDS: Readonly<Record<FailureKind, string>> = {
    unreachable: 'retry',
    timed_out: 'retry',
    auth_rejected: 'failed',
    no_shell: 'retry',
    host_key_changed: 'failed',
  };

  test.each(FAILURE_KINDS)('%s', kind => {
    expect(afterFailure(new TransportFailure(kind, 'no')).kind).toBe(KINDS[kind]);
  });

  test('that it did not answer is told apart from what it answers', () => {
    expect(afterFailure(new TransportFailure('timed_out', 'no'))).toEqual({
      ...again('timed_out: no'),
      isSilence: true,
    });
    expect(afterFailure(new TransportFailure('no_shell', 'no'))).toEqual(again('no_shell: no'));
  });

  test('another host key is learnt, and the host is distrusted', () => {
    expect(afterFailure(new TransportFailure('host_key_changed', 'no', 'ssh-ed25519 AAAA'))).toMatchObject({
      learned: { cause: 'distrusted', offeredKey: 'ssh-ed25519 AAAA' },
    });
  });
});

describe('what follows from a job', () => {
  const [output, stderr] = [bytes('so far\n'), bytes('no room\n')];
  const ran = { exitCode: 1, stdout: bytes(''), stderr };

  test.each<[string, JobResult, string, boolean]>([
    [
      'ended badly',
      { kind: 'ended', exitCode: 100, output },
      'command_failed: apt-get exited with 100: so far',
      true,
    ],
    ['was lost', { kind: 'interrupted', output }, 'command_interrupted: apt-get was killed: so far', true],
    [
      'takes too long',
      { kind: 'still running', output },
      'still_running: apt-get exceeded its timeout and is still running: so far',
      false,
    ],
    [
      'did not begin',
      { kind: 'not started', ran },
      'not_started: apt-get could not be started (1): no room',
      false,
    ],
    [
      'was forgotten',
      { kind: 'forgotten' },
      'command_interrupted: the host rebooted while apt-get ran',
      false,
    ],
    ['is unclear', { kind: 'unreadable' }, 'unexpected_output: cannot parse the job state of apt-get', false],
  ])(
    'one that %s is tried again, and begun anew only when it was over',
    (_what, result, problem, isRoundOver) => {
      expect(after(result)).toEqual({ kind: 'retry', problem, isRoundOver, isSilence: false });
    },
  );

  describe('an error that a script reported', () => {
    const error = ScriptError.of('create_folder', 'mkdir: Read-only file system');
    if (error === undefined) throw new Error('this is an action');
    const problem = 'run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system';

    test('fails the step at once', () => {
      expect(after({ kind: 'script error', error })).toEqual(failed(problem));
    });

    test('is retried with its output where a bootstrap says so', () => {
      expect(afterJob(['apt-get'], { kind: 'script error', error }, retryOnScriptError)).toEqual(
        again(problem),
      );
    });
  });

  test('nothing, when it ended well', () => {
    expect(after({ kind: 'ended', exitCode: 0, output })).toBeUndefined();
  });

  test('a command that only has its environment set goes by its own name', () => {
    const ended: JobResult = { kind: 'ended', exitCode: 2, output: new Uint8Array() };
    expect(afterJob(['env', 'LC_ALL=C', '-i', 'apt-get', 'update'], ended)).toMatchObject({
      problem: 'command_failed: apt-get exited with 2',
    });
  });

  test('that the connection broke, as for any other command', () => {
    const cut = new TransportFailure('unreachable', 'cut');
    expect(afterJob(['apt-get'], cut)).toEqual(afterFailure(cut));
  });
});

describe('a command that ended badly', () => {
  test.each([
    ['its last line is quoted', 'a\nE: no space left\n\n', 'E: no space left'],
    ['a bar that overwrites itself is many lines', '10%\r20%\r30%', '30%'],
    ['what would steer a terminal is left out', '\u001b[31mred\u001b[0m \u202e\u0007', '[31mred[0m'],
  ])('%s', (_what, output, quote) => {
    expect(badExit(output)).toMatchObject({ problem: `command_failed: apt-get exited with 100: ${quote}` });
  });

  test('says nothing of it when it said nothing', () => {
    expect(badExit('')).toMatchObject({ problem: 'command_failed: apt-get exited with 100' });
  });

  test('is not quoted at length', () => {
    const { problem } = badExit('x'.repeat(100_000)) as { problem: string };
    expect(problem.length).toBeLessThan(300);
  });
});

describe('what a container manager is asked', () => {
  test('is what it answers', async () => {
    expect(await askManager(async () => done({ is_cordoned: true }))).toEqual(done({ is_cordoned: true }));
  });

  test.each<[string, unknown, ReasonText]>([
    ['its error', new Error('503 from the API'), 'container_manager: 503 from the API'],
    ['whatever it throws', 'gone', 'container_manager: gone'],
  ])('is asked again when it is away, and %s is quoted', async (_what, thrown, problem) => {
    const asked = askManager(async () => {
      throw thrown;
    });
    expect(await asked).toEqual(again(problem));
  });
});
