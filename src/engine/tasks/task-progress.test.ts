import { describe, expect, test } from 'vitest';
import type { Rollback, TaskState } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { done, failed, noop, retry, retryWithNewJobs, waiting } from '../../procedures/outcomes.ts';
import type { TaskStep } from './task-progress.ts';
import { nextTransition } from './task-progress.ts';

const DURATION_MS = 500;
const step: Pick<TaskStep, 'name' | 'onExhausted'> = { name: 'install_prerequisites' };
const run = (state: TaskState, isLastStep = false) => ({
  state,
  step,
  retryPolicy: { initialBackoffMs: 1000, maxBackoffMs: 8000, timeoutMs: 60_000 },
  isLastStep,
  durationMs: DURATION_MS,
  jitter: 1,
  isPartitioned: false,
  isConfirmedUnresponsive: true,
});
const RETRIED: TaskState = {
  done: { wait_for_ssh: {} },
  step: 'install_prerequisites',
  attempts: 3,
  jobRound: 2,
  retryTimeMs: 30_000,
  problem: 'unreachable',
  suppressedAttempts: 0,
  stepState: {},
  rollback: null,
};
const ROLLBACK: Rollback = { fromStep: 'drain', reason: 'cancelled', problem: '' };

describe('nextTransition', () => {
  test('stores the result of a finished step by name and resets the state for the next step', () => {
    expect(nextTransition(done({ packages: 'a b' }), run(RETRIED))).toEqual({
      kind: 'next_step',
      state: {
        ...INITIAL_TASK_STATE,
        done: { wait_for_ssh: {}, install_prerequisites: { packages: 'a b' } },
      },
      hostUpdate: {},
    });
  });

  test('finishes the task after the last step', () => {
    const hostUpdate = { facts: { bootId: 'b' } };
    expect(nextTransition(done({ boot_id: 'b' }, hostUpdate), run(RETRIED, true))).toEqual({
      kind: 'finished',
      state: { ...INITIAL_TASK_STATE, done: { wait_for_ssh: {}, install_prerequisites: { boot_id: 'b' } } },
      isNoop: false,
      hostUpdate,
    });
  });

  test('counts the duration and the backoff of the first failure', () => {
    expect(nextTransition(retry('timed_out: p'), run(INITIAL_TASK_STATE))).toEqual({
      kind: 'wait',
      state: {
        ...INITIAL_TASK_STATE,
        step: 'install_prerequisites',
        attempts: 1,
        retryTimeMs: 1500,
        problem: 'timed_out: p',
      },
      delayMs: 1000,
      isUnresponsive: false,
      awaitsRebootClearance: false,
    });
  });

  test('increases the backoff and accumulates retry time on later failures', () => {
    expect(nextTransition(retry('timed_out: p'), run(RETRIED))).toEqual({
      kind: 'wait',
      state: { ...RETRIED, attempts: 4, retryTimeMs: 38_500, problem: 'timed_out: p' },
      delayMs: 8000,
      isUnresponsive: false,
      awaitsRebootClearance: false,
    });
  });

  test.each([
    ['keeps the job round when an attempt was interrupted', retry('timed_out: p'), 2],
    ['starts a new job round when a command has failed', retryWithNewJobs('command_failed: p'), 3],
  ])('%s', (_case, outcome, jobRound) => {
    expect(nextTransition(outcome, run(RETRIED))).toMatchObject({ kind: 'wait', state: { jobRound } });
  });

  test('fails with the last problem when the retry timeout is used up', () => {
    expect(nextTransition(retry('timed_out: p'), run({ ...RETRIED, retryTimeMs: 59_500 }))).toEqual({
      kind: 'failed',
      problem: 'timed_out: p',
      hostUpdate: {},
    });
  });

  test('fails immediately on a permanent failure', () => {
    expect(nextTransition(failed('not_root: p'), run(INITIAL_TASK_STATE))).toEqual({
      kind: 'failed',
      problem: 'not_root: p',
      hostUpdate: {},
    });
  });

  test('keeps the host update of a failed step', () => {
    const hostUpdate = { trigger: 'host_key_changed' as const };
    expect(nextTransition(failed('host_key_changed: p', hostUpdate), run(RETRIED))).toMatchObject({
      hostUpdate,
    });
  });

  test('marks the wait as unresponsive when the host did not respond', () => {
    const outcome = retry('timed_out: p', { isUnresponsive: true });
    expect(nextTransition(outcome, run(RETRIED))).toMatchObject({ kind: 'wait', isUnresponsive: true });
  });

  test('finishes as noop before the last step when the remaining steps are not needed', () => {
    const hostUpdate = { facts: { bootId: 'b' } };
    expect(nextTransition(noop(hostUpdate), run(RETRIED))).toEqual({
      kind: 'finished',
      state: RETRIED,
      isNoop: true,
      hostUpdate,
    });
  });

  test('returns aborted for an aborted step', () => {
    const aborted = { kind: 'aborted', reason: 'by_hand' } as const;
    expect(nextTransition(aborted, run(RETRIED))).toEqual(aborted);
  });
});

describe('nextTransition for a waiting step', () => {
  const stepState = { boot_id: 'b', healthy_since: 5 };

  const atDeadline = { problemAtDeadline: 'not_ready: late' as const };

  test('waits for the delay in whole milliseconds and keeps the step state', () => {
    const { retryTimeMs } = RETRIED;
    expect(nextTransition(waiting(9000.2, stepState, atDeadline), run(RETRIED))).toEqual({
      kind: 'wait',
      state: { ...RETRIED, problem: '', stepState, retryTimeMs: retryTimeMs + DURATION_MS + 9001 },
      delayMs: 9001,
      isUnresponsive: false,
      awaitsRebootClearance: false,
    });
  });

  test('fails at the deadline of the step with its deadline problem', () => {
    const nearDeadline = { ...RETRIED, retryTimeMs: 59_999 };
    expect(nextTransition(waiting(100_000, stepState, atDeadline), run(nearDeadline))).toEqual({
      kind: 'failed',
      problem: 'not_ready: late',
      hostUpdate: {},
    });
  });

  test('does not count the time toward the deadline while the server is partitioned', () => {
    const nearDeadline = { ...RETRIED, retryTimeMs: 59_999 };
    const partitioned = { ...run(nearDeadline), isPartitioned: true };
    expect(nextTransition(waiting(100_000, stepState, atDeadline), partitioned)).toMatchObject({
      kind: 'wait',
      state: { retryTimeMs: 59_999 },
    });
  });
});

test('nextTransition keeps retrying an unresponsive host until it is confirmed as unresponsive', () => {
  const nearDeadline = { ...RETRIED, retryTimeMs: 59_999 };
  const unresponsive = retry('unreachable: no route', { isUnresponsive: true });
  expect(nextTransition(unresponsive, run(nearDeadline))).toMatchObject({ kind: 'failed' });
  const unconfirmed = { ...run(nearDeadline), isConfirmedUnresponsive: false };
  expect(nextTransition(unresponsive, unconfirmed)).toMatchObject({ kind: 'wait' });
});

describe('nextTransition: step state', () => {
  const withState: TaskState = { ...RETRIED, stepState: { healthy_since: 5 } };

  test.each([
    ['is reset by a failure', retry('still_booting: p'), {}],
    [
      'is replaced by the state of the last attempt',
      retry('still_booting: p', { stepState: { seen: 1 } }),
      { seen: 1 },
    ],
    ['is reset for the next step', done(), {}],
  ])('%s', (_case, outcome, stepState) => {
    expect(nextTransition(outcome, run(withState))).toMatchObject({ state: { stepState } });
  });
});

describe('nextTransition during a rollback', () => {
  const rollingBack: TaskState = { ...RETRIED, rollback: ROLLBACK };

  test.each([
    ['when a step is done', done(), false, 'next_step'],
    ['when the last step is done', done(), true, 'finished'],
    ['when a step is retried', retry('timed_out: p'), false, 'wait'],
    ['when a step waits', waiting(1, {}, { problemAtDeadline: 'not_ready: late' }), false, 'wait'],
  ])('keeps the rollback %s', (_case, outcome, isLastStep, kind) => {
    expect(nextTransition(outcome, run(rollingBack, isLastStep))).toMatchObject({
      kind,
      state: { rollback: ROLLBACK },
    });
  });
});

describe('nextTransition of a step that may be skipped', () => {
  const hostUpdate = { trigger: 'host_key_changed', pendingHostKey: 'ssh-ed25519 AAAA' } as const;
  const skippable = (state: TaskState, isLastStep = false) => ({
    ...run(state, isLastStep),
    step: { ...step, onExhausted: 'skip_step' } as const,
  });
  const SKIPPED = {
    ...INITIAL_TASK_STATE,
    done: { wait_for_ssh: {}, install_prerequisites: { problem: 'host_key_changed: p' } },
  };

  test('saves the problem as the result of the step, and keeps the host update', () => {
    expect(nextTransition(failed('host_key_changed: p', hostUpdate), skippable(RETRIED))).toEqual({
      kind: 'next_step',
      state: SKIPPED,
      hostUpdate: { ...hostUpdate, reason: 'host_key_changed: p' },
    });
  });

  test('finishes the rollback when it is the last step', () => {
    const transition = nextTransition(
      failed('host_key_changed: p'),
      skippable({ ...RETRIED, rollback: ROLLBACK }, true),
    );
    expect(transition).toEqual({
      kind: 'finished',
      state: { ...SKIPPED, rollback: ROLLBACK },
      isNoop: false,
      hostUpdate: {},
    });
  });

  test('skips the step at its deadline, and not before', () => {
    const spent = { ...RETRIED, retryTimeMs: 60_000 };
    expect(nextTransition(retry('timed_out: p'), skippable(RETRIED)).kind).toBe('wait');
    expect(nextTransition(retry('timed_out: p'), skippable(spent))).toMatchObject({
      kind: 'next_step',
      state: { done: { install_prerequisites: { problem: 'timed_out: p' } } },
    });
  });
});
