import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CpuThrottle } from './concurrency.ts';

/** A turnstile of 5 ms, and work that takes as long as it says. */
function createThrottle() {
  let nowMs = 0;
  const throttle = new CpuThrottle(5, { monotonicMs: () => nowMs });
  const done: string[] = [];
  const run = (name: string, tookMs: number) =>
    throttle.run(() => {
      nowMs += tookMs;
      done.push(name);
      setImmediate(() => done.push(`turn after ${name}`));
    });
  /** The same for work in promises, in steps of 2 ms. */
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

test('a piece that comes alone is done at once', () => {
  const { run, done } = createThrottle();
  expect([run('a', 1), done]).toEqual([false, ['a']]);
});

test('pieces that take their time wait for a later turn, in their order, and the loop goes on in between', async () => {
  const { run, done } = createThrottle();
  const waited = ['a', 'b', 'c', 'd'].map(name => run(name, 6));
  expect([waited, done]).toEqual([[false, true, true, true], ['a']]);
  while (done.length < 8) await nextTurn();
  expect(done.filter(name => name.length === 1)).toEqual(['a', 'b', 'c', 'd']);
  expect(done.indexOf('turn after a')).toBeLessThan(done.indexOf('d'));
});

test('small pieces share a turn', () => {
  const { run, done } = createThrottle();
  for (const name of ['a', 'b', 'c', 'd', 'e']) run(name, 1);
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('one that comes later does not go before those that wait', async () => {
  const { run, done } = createThrottle();
  run('long', 6);
  run('waits', 1);
  await nextTurn(() => {});
  run('comes later', 1);
  while (done.length < 6) await nextTurn();
  expect(done.filter(name => !name.startsWith('turn'))).toEqual(['long', 'waits', 'comes later']);
});

test('work in promises shares each turn: the loop continues between its steps', async () => {
  const { steps, done } = createThrottle();
  let isOver = false;
  const countTurns = () => {
    done.push('turn');
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(name => steps(name, 4)));
  isOver = true;
  const perTurn = done
    .join(' ')
    .split('turn')
    .map(part => part.split(' ').filter(Boolean).length);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(3);
  expect(done.filter(name => name !== 'turn')).toHaveLength(24);
});

test('work in promises that waits is not passed by work that came before and has more to do', async () => {
  const { steps, done } = createThrottle();
  const long = steps('long', 30);
  await nextTurn();
  const short = steps('short', 1);
  const before = done.length;
  await short;
  expect(done.length - before).toBeLessThanOrEqual(4);
  await long;
});

test('work in promises that is short waits for nothing', () => {
  const throttle = new CpuThrottle(5, { monotonicMs: () => 0 });
  expect([throttle.waitForSlice(), throttle.waitForSlice()]).toEqual([undefined, undefined]);
});
