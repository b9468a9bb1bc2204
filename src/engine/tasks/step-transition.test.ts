import { describe, expect, test } from 'vitest';
import type { Rollback, TaskState } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { aborted, done, failed, noop, retry, retryWithNewJobs, waiting } from '../../procedures/outcomes.ts';
import { nextTransition } from './step-transition.ts';

const DURATION_MS = 500;
const step = {
  name: 'install_prerequisites',
  retryPolicy: { initialBackoffMs: 1000, maxBackoffMs: 8000, timeoutMs: 60_000 },
};
const run = (state: TaskState, isLastStep = false) => ({
  state,
  step,
  isLastStep,
  durationMs: DURATION_MS,
  jitter: 1,
  isPartitioned: false,
  isSilenceConfirmed: true,
});
const TRIED: TaskState = {
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

describe('how work goes on', () => {
  test('a step that is done is remembered by name, with what it came to; the next one begins anew', () => {
    expect(nextTransition(done({ packages: 'a b' }), run(TRIED))).toEqual({
      kind: 'next_step',
      state: {
        ...INITIAL_TASK_STATE,
        done: { wait_for_ssh: {}, install_prerequisites: { packages: 'a b' } },
      },
      hostUpdate: {},
    });
  });

  test('after the last step it is finished', () => {
    const hostUpdate = { facts: { bootId: 'b' } };
    expect(nextTransition(done({ boot_id: 'b' }, hostUpdate), run(TRIED, true))).toEqual({
      kind: 'finished',
      state: { ...INITIAL_TASK_STATE, done: { wait_for_ssh: {}, install_prerequisites: { boot_id: 'b' } } },
      isNoop: false,
      hostUpdate,
    });
  });

  test('the first failure begins to count the time it takes and the pause', () => {
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
      asksToReboot: false,
    });
  });

  test('later ones wait longer, and are added', () => {
    expect(nextTransition(retry('timed_out: p'), run(TRIED))).toEqual({
      kind: 'wait',
      state: { ...TRIED, attempts: 4, retryTimeMs: 38_500, problem: 'timed_out: p' },
      delayMs: 8000,
      isUnresponsive: false,
      asksToReboot: false,
    });
  });

  test.each([
    ['a try that was cut off goes on in the same round', retry('timed_out: p'), 2],
    ['one whose command came to its end begins another', retryWithNewJobs('command_failed: p'), 3],
  ])('%s', (_what, outcome, jobRound) => {
    expect(nextTransition(outcome, run(TRIED))).toMatchObject({ kind: 'wait', state: { jobRound } });
  });

  test('when patience is out it is given up, with the last problem', () => {
    expect(nextTransition(retry('timed_out: p'), run({ ...TRIED, retryTimeMs: 59_500 }))).toEqual({
      kind: 'failed',
      problem: 'timed_out: p',
      hostUpdate: {},
    });
  });

  test('what will not succeed is given up at once', () => {
    expect(nextTransition(failed('not_root: p'), run(INITIAL_TASK_STATE))).toEqual({
      kind: 'failed',
      problem: 'not_root: p',
      hostUpdate: {},
    });
  });

  test('what was learnt from it is not lost', () => {
    const hostUpdate = { trigger: 'host_key_changed' as const };
    expect(nextTransition(failed('host_key_changed: p', hostUpdate), run(TRIED))).toMatchObject({
      hostUpdate,
    });
  });

  test('that the host did not answer is told', () => {
    const outcome = retry('timed_out: p', { isUnresponsive: true });
    expect(nextTransition(outcome, run(TRIED))).toMatchObject({ kind: 'wait', isUnresponsive: true });
  });

  test('when the rest is needless it is finished, before the last step', () => {
    const hostUpdate = { facts: { bootId: 'b' } };
    expect(nextTransition(noop(hostUpdate), run(TRIED))).toEqual({
      kind: 'finished',
      state: TRIED,
      isNoop: true,
      hostUpdate,
    });
  });

  test('what was asked not to go on has not', () => {
    expect(nextTransition(aborted, run(TRIED))).toEqual({ kind: 'aborted' });
  });
});

describe('what only waits', () => {
  const stepState = { boot_id: 'b', healthy_since: 5 };

  const atDeadline = { problemAtDeadline: 'not_ready: late' as const };

  test('is repeated after its pause, in whole milliseconds, with its notes', () => {
    const { retryTimeMs } = TRIED;
    expect(nextTransition(waiting(9000.2, stepState, atDeadline), run(TRIED))).toEqual({
      kind: 'wait',
      state: { ...TRIED, problem: '', stepState, retryTimeMs: retryTimeMs + DURATION_MS + 9001 },
      delayMs: 9001,
      isUnresponsive: false,
      asksToReboot: false,
    });
  });

  test('fails at the deadline of the step, and says why', () => {
    const late = { ...TRIED, retryTimeMs: 59_999 };
    expect(nextTransition(waiting(100_000, stepState, atDeadline), run(late))).toEqual({
      kind: 'failed',
      problem: 'not_ready: late',
      hostUpdate: {},
    });
  });

  test('does not come closer to its deadline while the server is partitioned', () => {
    const late = { ...TRIED, retryTimeMs: 59_999 };
    const partitioned = { ...run(late), isPartitioned: true };
    expect(nextTransition(waiting(100_000, stepState, atDeadline), partitioned)).toMatchObject({
      kind: 'wait',
      state: { retryTimeMs: 59_999 },
    });
  });
});

test('does not give up a silent host before other hosts have answered', () => {
  const late = { ...TRIED, retryTimeMs: 59_999 };
  const silent = retry('unreachable: no route', { isUnresponsive: true });
  expect(nextTransition(silent, run(late))).toMatchObject({ kind: 'failed' });
  const unconfirmed = { ...run(late), isSilenceConfirmed: false };
  expect(nextTransition(silent, unconfirmed)).toMatchObject({ kind: 'wait' });
});

describe('what a step has noted', () => {
  const withState: TaskState = { ...TRIED, stepState: { healthy_since: 5 } };

  test.each([
    ['is forgotten when it fails', retry('still_booting: p'), {}],
    ['is what it says last', retry('still_booting: p', { stepState: { seen: 1 } }), { seen: 1 }],
    ['is of no use to the next step', done(), {}],
  ])('%s', (_what, outcome, stepState) => {
    expect(nextTransition(outcome, run(withState))).toMatchObject({ state: { stepState } });
  });
});

describe('work that goes back', () => {
  const rollingBack: TaskState = { ...TRIED, rollback: ROLLBACK };

  test.each([
    ['when a step is done', done(), false, 'next_step'],
    ['when the last one is', done(), true, 'finished'],
    ['when one is tried again', retry('timed_out: p'), false, 'wait'],
    ['when one waits', waiting(1, {}, { problemAtDeadline: 'not_ready: late' }), false, 'wait'],
  ])('does not forget that %s', (_what, outcome, isLastStep, kind) => {
    expect(nextTransition(outcome, run(rollingBack, isLastStep))).toMatchObject({
      kind,
      state: { rollback: ROLLBACK },
    });
  });
});
