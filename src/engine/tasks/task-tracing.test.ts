import { expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import type { Task, TaskState } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import type { SpanStart, Tracer } from '../../lib/tracer.ts';
import { done, retry, waiting } from '../../procedures/outcomes.ts';
import type { Outcome } from '../../procedures/step.ts';
import { TaskTracing } from './task-tracing.ts';

const TASK: Task = { kind: 'bootstrap', host: '127.0.0.1' as Address, enrolment: 'e', trace: 'request' };
const WAITING = waiting(1, {}, { problemAtDeadline: 'not_ready: late' });
const ATTEMPT_MS = 10;

/** A server that tries a step again and again, each time in a turn of its own, and what it told of that. */
function server() {
  const exported: (SpanStart & { readonly beginMs: number; readonly endMs: number })[] = [];
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const tracer: Tracer = {
    start: span => {
      const beginMs = nowMs - (span.startedMsAgo ?? 0);
      return {
        context: `${span.parent} > ${span.name}`,
        end: ({ attributes = {}, endedAtMs = nowMs } = {}) => {
          const all = { ...span.attributes, ...attributes };
          exported.push({ ...span, attributes: all, beginMs, endMs: endedAtMs });
        },
      };
    },
  };
  let progress: TaskState = INITIAL_TASK_STATE;
  const attemptOnce = async (outcome: Outcome | Error, calls = 1) => {
    const tracing = TaskTracing.start({ tracer, clock }, TASK);
    if (tracing === null) throw new Error('it is traced');
    const manager = tracing.traceCalls({ ask: async () => {} }, 'manager');
    try {
      const tried = await tracing.step('wait_for_ssh', progress, async () => {
        for (let call = 0; call < calls; call += 1) await manager.ask();
        nowMs += ATTEMPT_MS;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      });
      const problem = outcome instanceof Error || outcome.kind !== 'retry' ? '' : outcome.problem;
      const { attempts } = progress;
      progress = { ...progress, ...tried, step: 'wait_for_ssh', problem, attempts: attempts + 1 };
    } finally {
      nowMs += 1000;
      tracing.end();
    }
  };
  return { exported, attemptOnce };
}

const DOWN = retry('unreachable: nobody answers');
const SLOW = retry('timed_out: no answer');

/** The tries that were told, and how many before each were not. */
const exportedAttempts = (exported: ReturnType<typeof server>['exported']) =>
  exported
    .filter(({ name }) => name === 'step wait_for_ssh')
    .map(
      ({ attributes: { 'hostler.step_attempt': number, 'hostler.suppressed_attempts': suppressed = 0 } }) => [
        number,
        suppressed,
      ],
    );

test.each<[string, readonly (Outcome | Error)[], readonly (readonly number[])[]]>([
  ['that differ are all told', [DOWN, SLOW, DOWN, done()], [1, 2, 3, 4].map(number => [number, 0])],
  [
    'that end as the one before are counted by the next that does not',
    [DOWN, DOWN, DOWN, SLOW, SLOW, done()],
    [
      [1, 0],
      [4, 2],
      [6, 1],
    ],
  ],
  [
    'that all go well so far are left out too',
    [DOWN, WAITING, WAITING, WAITING, done()],
    [
      [1, 0],
      [2, 0],
      [5, 2],
    ],
  ],
])('tries %s', async (_what, outcomes, attempts) => {
  const { exported, attemptOnce } = server();
  for (const outcome of outcomes) await attemptOnce(outcome);
  expect(exportedAttempts(exported)).toEqual(attempts);
  // A turn that has nothing to tell is not told either, nor what was done in it.
  for (const name of ['task bootstrap', 'manager ask'])
    expect(exported.filter(span => span.name === name)).toHaveLength(attempts.length);
});

test('of many tries that end alike one in a hundred is told', async () => {
  const { exported, attemptOnce } = server();
  for (let count = 0; count < 250; count += 1) await attemptOnce(DOWN);
  expect(exportedAttempts(exported)).toEqual([
    [1, 0],
    [101, 99],
    [201, 99],
  ]);
});

test('a try that breaks is told', async () => {
  const { exported, attemptOnce } = server();
  for (const outcome of [DOWN, DOWN]) await attemptOnce(outcome);
  await expect(attemptOnce(new Error('the claim is lost'))).rejects.toThrow();
  expect(exportedAttempts(exported)).toEqual([
    [1, 0],
    [3, 1],
  ]);
});

test('a try that has much to tell is told, while it goes on, whatever comes of it', async () => {
  const { exported, attemptOnce } = server();
  await attemptOnce(DOWN);
  await attemptOnce(DOWN, 60);
  expect(exported.filter(({ name }) => name === 'manager ask')).toHaveLength(61);
  expect(exportedAttempts(exported)).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

test('what is told late has its times, and is where it belongs', async () => {
  const { exported, attemptOnce } = server();
  for (const outcome of [DOWN, DOWN, done()]) await attemptOnce(outcome);
  const [call, step, run] = exported.slice(-3);
  const beginMs = 2 * (ATTEMPT_MS + 1000);
  expect(call).toMatchObject({ name: 'manager ask', beginMs, endMs: beginMs });
  expect(step).toMatchObject({ name: 'step wait_for_ssh', beginMs, endMs: beginMs + ATTEMPT_MS });
  expect(run).toMatchObject({ name: 'task bootstrap', beginMs, endMs: beginMs + ATTEMPT_MS + 1000 });
  expect(call?.parent).toBe('request > task bootstrap > step wait_for_ssh');
});
