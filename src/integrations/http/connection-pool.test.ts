import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { abortable } from './connection-pool.ts';

const never = () => new Promise<never>(() => {});

test('abortable rejects with the reason of the signal, even if the promise never settles', async () => {
  const over = new AbortController();
  const ended = abortable(over.signal, never());
  over.abort(new Error('timed out'));
  await expect(ended).rejects.toThrow('timed out');
});

test.each([
  ['the result', () => Promise.resolve('done'), { status: 'fulfilled', value: 'done' }],
  ['the error', () => Promise.reject('refused'), { status: 'rejected', reason: 'refused' }],
])('abortable passes on %s and removes its listener', async (_what, promise, outcome) => {
  const { signal } = new AbortController();
  expect(await Promise.allSettled([abortable(signal, promise())])).toEqual([outcome]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
