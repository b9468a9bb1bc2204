import { describe, expect, test } from 'vitest';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { TransportFailureKind } from '../domain/transport-failure.ts';
import { TRANSPORT_FAILURE_KINDS, TransportFailure } from '../domain/transport-failure.ts';
import type { JobResult } from './jobs/run-job.ts';
import {
  callManager,
  done,
  failAfterMaxRounds,
  failed,
  fromJobResult,
  fromTransportFailure,
  retry,
  retryOnScriptError,
  retryWithNewJobs,
} from './outcomes.ts';
import { ScriptError } from './script-error.ts';
import type { Outcome } from './step.ts';

const bytes = (text: string) => Buffer.from(text);
const outcomeOf = (result: JobResult) => fromJobResult(['apt-get', 'install'], result);
const exitWithOne = (output: string) => outcomeOf({ kind: 'ended', exitCode: 100, output: bytes(output) });

describe('what follows when a host could not be spoken to', () => {
  const KINDS: Readonly<Record<TransportFailureKind, string>> = {
    unreachable: 'retry',
    timed_out: 'retry',
    auth_rejected: 'failed',
    no_shell: 'retry',
    host_key_changed: 'failed',
  };

  test.each(TRANSPORT_FAILURE_KINDS)('%s', kind => {
    expect(fromTransportFailure(new TransportFailure(kind, 'no')).kind).toBe(KINDS[kind]);
  });

  test('that it did not answer is told apart from what it answers', () => {
    expect(fromTransportFailure(new TransportFailure('timed_out', 'no'))).toEqual({
      ...retry('timed_out: no'),
      isUnresponsive: true,
    });
    expect(fromTransportFailure(new TransportFailure('no_shell', 'no'))).toEqual(retry('no_shell: no'));
  });

  test('another host key is learnt, and the host is distrusted', () => {
    expect(
      fromTransportFailure(new TransportFailure('host_key_changed', 'no', 'ssh-ed25519 AAAA')),
    ).toMatchObject({
      hostUpdate: { trigger: 'host_key_changed', pendingHostKey: 'ssh-ed25519 AAAA' },
    });
  });
});

describe('what follows from a job', () => {
  const [output, stderr] = [bytes('so far\n'), bytes('no room\n')];
  const commandResult = { exitCode: 1, stdout: bytes(''), stderr };

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
      { kind: 'still_running', output },
      'still_running: apt-get exceeded its timeout and is still running: so far',
      false,
    ],
    [
      'did not begin',
      { kind: 'not_started', commandResult },
      'not_started: apt-get could not be started (1): no room',
      false,
    ],
    [
      'was forgotten',
      { kind: 'unknown_to_host' },
      'command_interrupted: the host rebooted while apt-get ran',
      false,
    ],
    ['is unclear', { kind: 'unreadable' }, 'unexpected_output: cannot parse the job state of apt-get', false],
  ])(
    'one that %s is tried again, and begun anew only when it was over',
    (_what, result, problem, restartsJobs) => {
      expect(outcomeOf(result)).toEqual({ kind: 'retry', problem, restartsJobs, isUnresponsive: false });
    },
  );

  describe('an error that a script reported', () => {
    const error = ScriptError.of('create_folder', 'mkdir: Read-only file system');
    if (error === undefined) throw new Error('this is an action');
    const problem = 'run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system';

    test('fails the step at once', () => {
      expect(outcomeOf({ kind: 'script_error', error })).toEqual(failed(problem));
    });

    test('is retried with its output where a bootstrap says so', () => {
      expect(fromJobResult(['apt-get'], { kind: 'script_error', error }, retryOnScriptError)).toEqual(
        retry(problem),
      );
    });
  });

  test('nothing, when it ended well', () => {
    expect(outcomeOf({ kind: 'ended', exitCode: 0, output })).toBeUndefined();
  });

  test('a command that only has its environment set goes by its own name', () => {
    const ended: JobResult = { kind: 'ended', exitCode: 2, output: new Uint8Array() };
    expect(fromJobResult(['env', 'LC_ALL=C', '-i', 'apt-get', 'update'], ended)).toMatchObject({
      problem: 'command_failed: apt-get exited with 2',
    });
  });

  test('that the connection broke, as for any other command', () => {
    const cut = new TransportFailure('unreachable', 'cut');
    expect(fromJobResult(['apt-get'], cut)).toEqual(fromTransportFailure(cut));
  });
});

describe('a command that ended badly', () => {
  test.each([
    ['its last line is quoted', 'a\nE: no space left\n\n', 'E: no space left'],
    ['a bar that overwrites itself is many lines', '10%\r20%\r30%', '30%'],
    ['what would steer a terminal is left out', '\u001b[31mred\u001b[0m \u202e\u0007', '[31mred[0m'],
  ])('%s', (_what, output, quote) => {
    expect(exitWithOne(output)).toMatchObject({
      problem: `command_failed: apt-get exited with 100: ${quote}`,
    });
  });

  test('says nothing of it when it said nothing', () => {
    expect(exitWithOne('')).toMatchObject({ problem: 'command_failed: apt-get exited with 100' });
  });

  test('is not quoted at length', () => {
    const { problem } = exitWithOne('x'.repeat(100_000)) as { problem: string };
    expect(problem.length).toBeLessThan(300);
  });
});

describe('what a container manager is asked', () => {
  test('is what it answers', async () => {
    expect(await callManager(async () => done({ is_cordoned: true }))).toEqual(done({ is_cordoned: true }));
  });

  test.each<[string, unknown, ReasonText]>([
    ['its error', new Error('503 from the API'), 'container_manager: 503 from the API'],
    ['whatever it throws', 'gone', 'container_manager: gone'],
  ])('is asked again when it is away, and %s is quoted', async (_what, thrown, problem) => {
    const asked = callManager(async () => {
      throw thrown;
    });
    expect(await asked).toEqual(retry(problem));
  });
});

const outcomeAfterRound = (jobRound: number, problem: Outcome | undefined) =>
  failAfterMaxRounds({ state: { done: {}, stepState: {}, retryTimeMs: 0, jobRound } }, problem);

test.each<[string, number, Outcome | undefined, Outcome | undefined]>([
  ['what went well stays well', 2, undefined, undefined],
  ['the first bad end is not the last', 0, retryWithNewJobs('not_root: p'), retryWithNewJobs('not_root: p')],
  ['nor is the second', 1, retryWithNewJobs('not_root: p'), retryWithNewJobs('not_root: p')],
  ['the third is', 2, retryWithNewJobs('not_root: p'), failed('not_root: p')],
  ['one that was cut off goes on, however often', 2, retry('not_root: p'), retry('not_root: p')],
  ['what has failed has failed', 0, failed('not_root: p'), failed('not_root: p')],
])('%s', (_what, round, problem, expected) => {
  expect(outcomeAfterRound(round, problem)).toEqual(expected);
});
