import { describe, expect, test } from 'vitest';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { TransportFailureKind } from '../domain/transport-failure.ts';
import { TRANSPORT_FAILURE_KINDS, TransportFailure } from '../domain/transport-failure.ts';
import type { JobResult } from './jobs/run-job.ts';
import {
  done,
  failAfterMaxRounds,
  failed,
  fromJobResult,
  fromTransportFailure,
  retry,
  retryInsteadOfFailing,
  retryOnError,
  retryOnScriptError,
  retryWithNewJobs,
} from './outcomes.ts';
import { ScriptError } from './script-error.ts';
import type { Outcome } from './step.ts';

const bytes = (text: string) => Buffer.from(text);
const outcomeOf = (result: JobResult) => fromJobResult(['apt-get', 'install'], result);
const exitWith100 = (output: string) => outcomeOf({ kind: 'ended', exitCode: 100, output: bytes(output) });

test('retryInsteadOfFailing runs the commands of a failed step again', () => {
  expect(retryInsteadOfFailing(failed('permanent_failure: broken'))).toEqual(
    retryWithNewJobs('permanent_failure: broken'),
  );
});

describe('fromTransportFailure', () => {
  const KINDS: Readonly<Record<TransportFailureKind, string>> = {
    unreachable: 'retry',
    timed_out: 'retry',
    auth_rejected: 'failed',
    no_shell: 'retry',
    host_key_changed: 'failed',
  };

  test.each(TRANSPORT_FAILURE_KINDS)('maps %s to its outcome', kind => {
    expect(fromTransportFailure(new TransportFailure(kind, 'failed')).kind).toBe(KINDS[kind]);
  });

  test('marks only missing responses as unresponsive', () => {
    expect(fromTransportFailure(new TransportFailure('timed_out', 'failed'))).toEqual({
      ...retry('timed_out: failed'),
      isUnresponsive: true,
    });
    expect(fromTransportFailure(new TransportFailure('no_shell', 'failed'))).toEqual(retry('no_shell: failed'));
  });

  test('stores a changed host key as pending and fails', () => {
    expect(fromTransportFailure(new TransportFailure('host_key_changed', 'failed', 'ssh-ed25519 AAAA'))).toMatchObject({
      hostUpdate: { trigger: 'host_key_changed', pendingHostKey: 'ssh-ed25519 AAAA' },
    });
  });
});

describe('fromJobResult', () => {
  const [output, stderr] = [bytes('so far\n'), bytes('no room\n')];
  const commandResult = { exitCode: 1, stdout: bytes(''), stderr };

  test.each<[string, JobResult, string, boolean]>([
    [
      'exited with an error',
      { kind: 'ended', exitCode: 100, output },
      'command_failed: apt-get exited with 100: so far',
      true,
    ],
    ['was killed', { kind: 'interrupted', output }, 'command_interrupted: apt-get was killed: so far', true],
    [
      'exceeded its timeout',
      { kind: 'still_running', output },
      'still_running: apt-get exceeded its timeout and is still running: so far',
      false,
    ],
    [
      'could not be started',
      { kind: 'not_started', commandResult },
      'not_started: apt-get could not be started (1): no room',
      false,
    ],
    [
      'is unknown after a reboot',
      { kind: 'unknown_to_host' },
      'command_interrupted: the host rebooted while apt-get ran',
      false,
    ],
    ['has unreadable state', { kind: 'unreadable' }, 'unexpected_output: cannot parse the job state of apt-get', false],
  ])('retries a job that %s, with new jobs only when it has ended', (_case, result, problem, restartsJobs) => {
    expect(outcomeOf(result)).toEqual({ kind: 'retry', problem, restartsJobs, isUnresponsive: false });
  });

  describe('with a script error', () => {
    const error = ScriptError.of('create_folder', 'mkdir: Read-only file system');
    if (error === undefined) throw new Error('unknown action');
    const problem = 'run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system';

    test('fails the step by default', () => {
      expect(outcomeOf({ kind: 'script_error', error })).toEqual(failed(problem));
    });

    test('retries the step with retryOnScriptError', () => {
      expect(fromJobResult(['apt-get'], { kind: 'script_error', error }, retryOnScriptError)).toEqual(retry(problem));
    });
  });

  test('fails without a retry for the exit code of a permanent failure', () => {
    expect(outcomeOf({ kind: 'ended', exitCode: 78, output })).toEqual(failed('permanent_failure: so far'));
  });

  test('returns undefined for exit code 0', () => {
    expect(outcomeOf({ kind: 'ended', exitCode: 0, output })).toBeUndefined();
  });

  test('names the program after an env prefix', () => {
    const ended: JobResult = { kind: 'ended', exitCode: 2, output: new Uint8Array() };
    expect(fromJobResult(['env', 'LC_ALL=C', '-i', 'apt-get', 'update'], ended)).toMatchObject({
      problem: 'command_failed: apt-get exited with 2',
    });
  });

  test('maps a transport failure like any other command', () => {
    const failure = new TransportFailure('unreachable', 'cut');
    expect(fromJobResult(['apt-get'], failure)).toEqual(fromTransportFailure(failure));
  });
});

describe('command_failed problem', () => {
  test.each([
    ['quotes the last line', 'a\nE: no space left\n\n', 'E: no space left'],
    ['treats carriage returns of a progress bar as line breaks', '10%\r20%\r30%', '30%'],
    ['removes terminal control characters', '\u001b[31mred\u001b[0m \u202e\u0007', '[31mred[0m'],
  ])('%s', (_case, output, expected) => {
    expect(exitWith100(output)).toMatchObject({
      problem: `command_failed: apt-get exited with 100: ${expected}`,
    });
  });

  test('has no quote when the command printed nothing', () => {
    expect(exitWith100('')).toMatchObject({ problem: 'command_failed: apt-get exited with 100' });
  });

  test('shortens a long quote', () => {
    const { problem } = exitWith100('x'.repeat(100_000)) as { problem: string };
    expect(problem.length).toBeLessThan(300);
  });
});

describe('retryOnError', () => {
  test('returns the outcome of the call', async () => {
    expect(await retryOnError('container_manager', async () => done({ is_cordoned: true }))).toEqual(
      done({ is_cordoned: true }),
    );
  });

  test.each<[string, unknown, ReasonText]>([
    ['its error message', new Error('503 from the API'), 'container_manager: 503 from the API'],
    ['a thrown value that is not an Error', 'gone', 'container_manager: gone'],
  ])('retries when the call throws, and quotes %s', async (_case, error, problem) => {
    const outcome = retryOnError('container_manager', async () => {
      throw error;
    });
    expect(await outcome).toEqual(retry(problem));
  });
});

const outcomeAfterRound = (jobRound: number, outcome: Outcome | undefined) =>
  failAfterMaxRounds({ state: { done: {}, stepState: {}, retryTimeMs: 0, jobRound } }, outcome);

test.each<[string, number, Outcome | undefined, Outcome | undefined]>([
  ['keeps a success', 2, undefined, undefined],
  ['retries after the first failed round', 0, retryWithNewJobs('not_root: p'), retryWithNewJobs('not_root: p')],
  ['retries after the second failed round', 1, retryWithNewJobs('not_root: p'), retryWithNewJobs('not_root: p')],
  ['fails after the third failed round', 2, retryWithNewJobs('not_root: p'), failed('not_root: p')],
  ['retries an interrupted attempt without limit', 2, retry('not_root: p'), retry('not_root: p')],
  ['keeps a failure', 0, failed('not_root: p'), failed('not_root: p')],
])('failAfterMaxRounds: %s', (_case, round, problem, expected) => {
  expect(outcomeAfterRound(round, problem)).toEqual(expected);
});
