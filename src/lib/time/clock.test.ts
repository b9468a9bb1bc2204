import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { sleep, waitUpTo, withTimeout } from './clock.ts';

test('sleep resolves after its time and not before', async () => {
  const clock = new VirtualClock();
  const ends: number[] = [];
  void sleep(clock, 1000).then(() => ends.push(clock.monotonicMs()));
  await clock.advance(999);
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(ends).toEqual([1000]);
});

test('sleep resolves on abort and removes its timer and listener', async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const slept = sleep(clock, 1000, controller.signal);
  controller.abort();
  await slept;
  expect(clock.pending).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

test('sleep removes its listener when it ends', async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const slept = sleep(clock, 1000, signal);
  await clock.advance(1000);
  await slept;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
  ['of 0 ms', 0, undefined],
  ['with an aborted signal', 1000, AbortSignal.abort()],
])('sleep %s sets no timer', async (_case, ms, signal) => {
  const clock = new VirtualClock();
  await sleep(clock, ms, signal);
  expect(clock.pending).toBe(0);
});

test('waitUpTo waits for the result up to its maximum time', async () => {
  const clock = new VirtualClock();
  const ends: string[] = [];
  void waitUpTo(clock, 1000, () => sleep(clock, 300)).then(() => ends.push(`done at ${clock.monotonicMs()}`));
  void waitUpTo(clock, 1000, () => new Promise(() => {})).then(() => ends.push(`timed out at ${clock.monotonicMs()}`));
  await clock.advance(5000);
  expect(ends).toEqual(['done at 300', 'timed out at 1000']);
  expect(clock.pending).toBe(0);
});

test('withTimeout rejects when the function takes too long', async () => {
  const clock = new VirtualClock();
  const ends: string[] = [];
  const slow = async () => {
    await sleep(clock, 300);
    return 'done';
  };
  const recordEnd = (end: unknown) => ends.push(`${end} at ${clock.monotonicMs()}`);
  void withTimeout(clock, 1000, slow, 'too late').then(recordEnd);
  void withTimeout(clock, 1000, () => new Promise(() => {}), 'too late').catch(recordEnd);
  void withTimeout(clock, 1500, () => new Promise(() => {})).catch(recordEnd);
  void withTimeout(clock, 1000, () => Promise.reject(new Error('broken')), 'too late').catch(recordEnd);
  await clock.advance(5000);
  expect(ends).toEqual([
    'Error: broken at 0',
    'done at 300',
    'Error: too late at 1000',
    'Error: no response within 1.5 s at 1500',
  ]);
  expect(clock.pending).toBe(0);
});
