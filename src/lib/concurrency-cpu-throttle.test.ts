import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CpuThrottle } from './concurrency.ts';

/** A throttle of 5 ms with a simulated clock. */
function createThrottle() {
  let nowMs = 0;
  const throttle = new CpuThrottle(5, { monotonicMs: () => nowMs });
  const done: string[] = [];
  const run = (name: string, durationMs: number) =>
    throttle.run(() => {
      nowMs += durationMs;
      done.push(name);
      setImmediate(() => done.push(`iteration after ${name}`));
    });
  /** Asynchronous work in steps of 2 ms. */
  const steps = async (name: string, count: number) => {
    for (let step = 0; step < count; step += 1) {
      const later = throttle.waitForSlice();
      if (later) await later;
      nowMs += 2;
      done.push(name);
    }
  };
  return { run, steps, done };
}

test('CpuThrottle runs a single callback immediately', () => {
  const { run, done } = createThrottle();
  expect([run('a', 1), done]).toEqual([false, ['a']]);
});

test('CpuThrottle runs long callbacks in order in later iterations of the event loop', async () => {
  const { run, done } = createThrottle();
  const waited = ['a', 'b', 'c', 'd'].map(name => run(name, 6));
  expect([waited, done]).toEqual([[false, true, true, true], ['a']]);
  while (done.length < 8) await nextLoopIteration();
  expect(done.filter(name => name.length === 1)).toEqual(['a', 'b', 'c', 'd']);
  expect(done.indexOf('iteration after a')).toBeLessThan(done.indexOf('d'));
});

test('CpuThrottle runs several short callbacks in one iteration', () => {
  const { run, done } = createThrottle();
  for (const name of ['a', 'b', 'c', 'd', 'e']) run(name, 1);
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('CpuThrottle runs a later callback after those that already wait', async () => {
  const { run, done } = createThrottle();
  run('long', 6);
  run('waits', 1);
  await nextLoopIteration(() => {});
  run('comes later', 1);
  while (done.length < 6) await nextLoopIteration();
  expect(done.filter(name => !name.startsWith('iteration'))).toEqual(['long', 'waits', 'comes later']);
});

test('CpuThrottle limits asynchronous work per iteration of the event loop', async () => {
  const { steps, done } = createThrottle();
  let isDone = false;
  const countIterations = () => {
    done.push('iteration');
    if (!isDone) setImmediate(countIterations);
  };
  setImmediate(countIterations);
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(name => steps(name, 4)));
  isDone = true;
  const perIteration = done
    .join(' ')
    .split('iteration')
    .map(part => part.split(' ').filter(Boolean).length);
  expect(Math.max(...perIteration)).toBeLessThanOrEqual(3);
  expect(done.filter(name => name !== 'iteration')).toHaveLength(24);
});

test('CpuThrottle lets waiting asynchronous work run before the next steps of earlier work', async () => {
  const { steps, done } = createThrottle();
  const long = steps('long', 30);
  await nextLoopIteration();
  const short = steps('short', 1);
  const before = done.length;
  await short;
  expect(done.length - before).toBeLessThanOrEqual(4);
  await long;
});

test('CpuThrottle does not delay short asynchronous work', () => {
  const throttle = new CpuThrottle(5, { monotonicMs: () => 0 });
  expect([throttle.waitForSlice(), throttle.waitForSlice()]).toEqual([undefined, undefined]);
});
