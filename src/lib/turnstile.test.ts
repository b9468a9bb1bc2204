import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

/** Keeps the processor busy. */
function work(ms: number): void {
  const begun = performance.now();
  while (performance.now() - begun < ms);
}

test('a piece that comes alone is done at once', () => {
  const done: string[] = [];
  const hasToWait = new Turnstile(5).pass(() => done.push('piece'));
  expect([hasToWait, done]).toEqual([false, ['piece']]);
});

test('pieces that take their turn wait for the next, in their order, and the loop goes on in between', async () => {
  const turns = new Turnstile(5);
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    turns.pass(() => {
      work(6);
      done.push(name);
      setTimeout(() => done.push(`timer after ${name}`), 0);
    });
  }
  expect(done).toEqual(['a']);
  while (done.length < 6) await nextTurn();
  expect(done.filter(name => name.length === 1)).toEqual(['a', 'b', 'c']);
  expect(done.indexOf('timer after a')).toBeLessThan(done.indexOf('c'));
});

test('small pieces share a turn', async () => {
  const turns = new Turnstile(1000);
  const done: number[] = [];
  for (let index = 0; index < 50; index += 1) turns.pass(() => done.push(index));
  expect(done.length).toBe(50);
});
