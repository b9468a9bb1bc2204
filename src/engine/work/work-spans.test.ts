import { expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import type { Progress, Work } from '../../domain/work/work.ts';
import { NOT_BEGUN } from '../../domain/work/work.ts';
import type { SpanStart, Tracer } from '../../lib/tracer.ts';
import { again, done, waiting } from '../../operations/outcomes.ts';
import type { Outcome } from '../../operations/step.ts';
import { WorkSpans } from './work-spans.ts';

const WORK: Work = { kind: 'bootstrap', host: '127.0.0.1' as Address, enrolment: 'e', trace: 'request' };
const WAITING = waiting(1, {}, { problemAtDeadline: 'not_ready: late' });
const TRY_MS = 10;

/** A server that tries a step again and again, each time in a turn of its own, and what it told of that. */
function server() {
  const told: (SpanStart & { readonly beginMs: number; readonly endMs: number })[] = [];
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const tracer: Tracer = {
    start: span => {
      const beginMs = nowMs - (span.begunMsAgo ?? 0);
      return {
        context: `${span.under} > ${span.name}`,
        end: ({ attributes = {}, endedAtMs = nowMs } = {}) => {
          const all = { ...span.attributes, ...attributes };
          told.push({ ...span, attributes: all, beginMs, endMs: endedAtMs });
        },
      };
    },
  };
  let progress: Progress = NOT_BEGUN;
  const tryOnce = async (outcome: Outcome | Error, calls = 1) => {
    const spans = WorkSpans.begin({ tracer, clock }, WORK);
    if (spans === null) throw new Error('it is traced');
    const manager = spans.around({ ask: async () => {} }, 'manager');
    try {
      const tried = await spans.step('wait_for_ssh', progress, async () => {
        for (let call = 0; call < calls; call += 1) await manager.ask();
        nowMs += TRY_MS;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      });
      const problem = outcome instanceof Error || outcome.kind !== 'retry' ? '' : outcome.problem;
      const { attempts } = progress;
      progress = { ...progress, ...tried, step: 'wait_for_ssh', problem, attempts: attempts + 1 };
    } finally {
      nowMs += 1000;
      spans.end();
    }
  };
  return { told, tryOnce };
}

const DOWN = again('unreachable: nobody answers');
const SLOW = again('timed_out: no answer');

/** The tries that were told, and how many before each were not. */
const toldTries = (told: ReturnType<typeof server>['told']) =>
  told
    .filter(({ name }) => name === 'step wait_for_ssh')
    .map(({ attributes: { 'hostler.step_attempt': number, 'hostler.suppressed_attempts': untold = 0 } }) => [
      number,
      untold,
    ]);

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
])('tries %s', async (_what, outcomes, tries) => {
  const { told, tryOnce } = server();
  for (const outcome of outcomes) await tryOnce(outcome);
  expect(toldTries(told)).toEqual(tries);
  // A turn that has nothing to tell is not told either, nor what was done in it.
  for (const name of ['task bootstrap', 'manager ask'])
    expect(told.filter(span => span.name === name)).toHaveLength(tries.length);
});

test('of many tries that end alike one in a hundred is told', async () => {
  const { told, tryOnce } = server();
  for (let count = 0; count < 250; count += 1) await tryOnce(DOWN);
  expect(toldTries(told)).toEqual([
    [1, 0],
    [101, 99],
    [201, 99],
  ]);
});

test('a try that breaks is told', async () => {
  const { told, tryOnce } = server();
  for (const outcome of [DOWN, DOWN]) await tryOnce(outcome);
  await expect(tryOnce(new Error('the claim is lost'))).rejects.toThrow();
  expect(toldTries(told)).toEqual([
    [1, 0],
    [3, 1],
  ]);
});

test('a try that has much to tell is told, while it goes on, whatever comes of it', async () => {
  const { told, tryOnce } = server();
  await tryOnce(DOWN);
  await tryOnce(DOWN, 60);
  expect(told.filter(({ name }) => name === 'manager ask')).toHaveLength(61);
  expect(toldTries(told)).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

test('what is told late has its times, and is where it belongs', async () => {
  const { told, tryOnce } = server();
  for (const outcome of [DOWN, DOWN, done()]) await tryOnce(outcome);
  const [call, step, turn] = told.slice(-3);
  const beginMs = 2 * (TRY_MS + 1000);
  expect(call).toMatchObject({ name: 'manager ask', beginMs, endMs: beginMs });
  expect(step).toMatchObject({ name: 'step wait_for_ssh', beginMs, endMs: beginMs + TRY_MS });
  expect(turn).toMatchObject({ name: 'task bootstrap', beginMs, endMs: beginMs + TRY_MS + 1000 });
  expect(call?.under).toBe('request > task bootstrap > step wait_for_ssh');
});
