import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

/** A turnstile of 5 ms, and work that takes as long as it says. */
function turnstile() {
  let nowMs = 0;
  const turns = new Turnstile(5, { monotonicMs: () => nowMs });
  const done: string[] = [];
  const pass = (name: string, tookMs: number) =>
    turns.pass(() => {
      nowMs += tookMs;
      done.push(name);
      setImmediate(() => done.push(`turn after ${name}`));
    });
  return { pass, done };
}

test('a piece that comes alone is done at once', () => {
  const { pass, done } = turnstile();
  expect([pass('a', 1), done]).toEqual([false, ['a']]);
});

test('pieces that take their time wait for a later turn, in their order, and the loop goes on in between', async () => {
  const { pass, done } = turnstile();
  const hadToWait = ['a', 'b', 'c', 'd'].map(name => pass(name, 6));
  expect([hadToWait, done]).toEqual([[false, true, true, true], ['a']]);
  while (done.length < 8) await nextTurn();
  expect(done.filter(name => name.length === 1)).toEqual(['a', 'b', 'c', 'd']);
  expect(done.indexOf('turn after a')).toBeLessThan(done.indexOf('d'));
});

test('small pieces share a turn', () => {
  const { pass, done } = turnstile();
  for (const name of ['a', 'b', 'c', 'd', 'e']) pass(name, 1);
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('one that comes later does not go before those that wait', async () => {
  const { pass, done } = turnstile();
  pass('long', 6);
  pass('waits', 1);
  await nextTurn(() => {});
  pass('comes later', 1);
  while (done.length < 6) await nextTurn();
  expect(done.filter(name => !name.startsWith('turn'))).toEqual(['long', 'waits', 'comes later']);
});
