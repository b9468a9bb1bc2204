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

/** Creates a server that retries one step, each time in a new run, and records the exported spans. */
function server() {
  const exported: (SpanStart & { readonly beginMs: number; readonly endMs: number })[] = [];
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const tracer: Tracer = {
    start: span => {
      const startMs = nowMs - (span.startedMsAgo ?? 0);
      return {
        context: `${span.parent} > ${span.name}`,
        end: ({ attributes = {}, endedAtMs = nowMs } = {}) => {
          const all = { ...span.attributes, ...attributes };
          exported.push({ ...span, attributes: all, beginMs: startMs, endMs: endedAtMs });
        },
      };
    },
  };
  let state: TaskState = INITIAL_TASK_STATE;
  const attemptOnce = async (outcome: Outcome | Error, calls = 1) => {
    const tracing = TaskTracing.start({ tracer, clock }, TASK);
    if (tracing === null) throw new Error('tracing is off');
    try {
      const result = await tracing.step('wait_for_ssh', state, async () => {
        for (let call = 0; call < calls; call += 1) await tracing.call('manager query', async () => {});
        nowMs += ATTEMPT_MS;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      });
      const problem = outcome instanceof Error || outcome.kind !== 'retry' ? '' : outcome.problem;
      const { attempts } = state;
      state = { ...state, ...result, step: 'wait_for_ssh', problem, attempts: attempts + 1 };
    } finally {
      nowMs += 1000;
      tracing.end();
    }
  };
  return { exported, attemptOnce };
}

const DOWN = retry('unreachable: no response');
const SLOW = retry('timed_out: no response');

/** The attempt number and the number of suppressed attempts before it, for each exported attempt. */
const exportedAttempts = (exported: ReturnType<typeof server>['exported']) =>
  exported
    .filter(({ name }) => name === 'step wait_for_ssh')
    .map(({ attributes: { 'hostler.step_attempt': number, 'hostler.suppressed_attempts': suppressed = 0 } }) => [
      number,
      suppressed,
    ]);

test.each<[string, readonly (Outcome | Error)[], readonly (readonly number[])[]]>([
  ['with different results', [DOWN, SLOW, DOWN, done()], [1, 2, 3, 4].map(number => [number, 0])],
  [
    'with a new result and counts suppressed repeats',
    [DOWN, DOWN, DOWN, SLOW, SLOW, done()],
    [
      [1, 0],
      [4, 2],
      [6, 1],
    ],
  ],
  [
    'with a new result and suppresses repeated waits',
    [DOWN, WAITING, WAITING, WAITING, done()],
    [
      [1, 0],
      [2, 0],
      [5, 2],
    ],
  ],
])('TaskTracing exports attempts %s', async (_case, outcomes, attempts) => {
  const { exported, attemptOnce } = server();
  for (const outcome of outcomes) await attemptOnce(outcome);
  expect(exportedAttempts(exported)).toEqual(attempts);
  // Runs without an exported step and their calls are not exported either.
  for (const name of ['task bootstrap', 'manager query'])
    expect(exported.filter(span => span.name === name)).toHaveLength(attempts.length);
});

test('TaskTracing exports one in a hundred attempts with the same result', async () => {
  const { exported, attemptOnce } = server();
  for (let count = 0; count < 250; count += 1) await attemptOnce(DOWN);
  expect(exportedAttempts(exported)).toEqual([
    [1, 0],
    [101, 99],
    [201, 99],
  ]);
});

test('TaskTracing exports an attempt that throws', async () => {
  const { exported, attemptOnce } = server();
  for (const outcome of [DOWN, DOWN]) await attemptOnce(outcome);
  await expect(attemptOnce(new Error('claim lost'))).rejects.toThrow();
  expect(exportedAttempts(exported)).toEqual([
    [1, 0],
    [3, 1],
  ]);
});

test('TaskTracing exports an attempt with more than 50 spans even if its result repeats', async () => {
  const { exported, attemptOnce } = server();
  await attemptOnce(DOWN);
  await attemptOnce(DOWN, 60);
  expect(exported.filter(({ name }) => name === 'manager query')).toHaveLength(61);
  expect(exportedAttempts(exported)).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

test('TaskTracing exports buffered spans with their original times and parents', async () => {
  const { exported, attemptOnce } = server();
  for (const outcome of [DOWN, DOWN, done()]) await attemptOnce(outcome);
  const [call, step, run] = exported.slice(-3);
  const startMs = 2 * (ATTEMPT_MS + 1000);
  expect(call).toMatchObject({ name: 'manager query', beginMs: startMs, endMs: startMs });
  expect(step).toMatchObject({ name: 'step wait_for_ssh', beginMs: startMs, endMs: startMs + ATTEMPT_MS });
  expect(run).toMatchObject({ name: 'task bootstrap', beginMs: startMs, endMs: startMs + ATTEMPT_MS + 1000 });
  expect(call?.parent).toBe('request > task bootstrap > step wait_for_ssh');
});
