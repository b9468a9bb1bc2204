import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { abortable } from './connection-pool.ts';

const never = () => new Promise<never>(() => {});

test('work that does not heed its signal ends with it, by its reason', async () => {
  const over = new AbortController();
  const ended = abortable(over.signal, never());
  over.abort(new Error('it takes too long'));
  await expect(ended).rejects.toThrow('it takes too long');
});

test.each([
  ['what it answers', () => Promise.resolve('done'), { status: 'fulfilled', value: 'done' }],
  ['why it fails', () => Promise.reject('refused'), { status: 'rejected', reason: 'refused' }],
])('else it is known by %s, and nothing is left on the signal', async (_what, promise, outcome) => {
  const { signal } = new AbortController();
  expect(await Promise.allSettled([abortable(signal, promise())])).toEqual([outcome]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
