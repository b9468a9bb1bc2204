import { expect, test } from 'vitest';
import type { Client } from '../../sdk/client.ts';
import { createHostnameFinder } from './events.ts';

/** Each list has one more host than the one before: `::1`, then `::1` and `::2`. The third request fails. */
function createFinder() {
  let [nowMs, requests] = [0, 0];
  const client = {
    listHosts: async () => {
      requests += 1;
      if (requests === 3) throw new Error('no server responds');
      const body = [1, 2].slice(0, requests).map(id => ({ address: `::${id}`, hostname: `web-${id}` }));
      return { body };
    },
  } as unknown as Pick<Client, 'listHosts'>;
  const find = createHostnameFinder(client, { monotonicMs: () => nowMs }, new AbortController().signal);
  return async (atMs: number, address: string) => {
    nowMs = atMs;
    return [await find(address), requests];
  };
}

test('createHostnameFinder() reads the hostnames again after a minute, or after five seconds for an unknown host', async () => {
  const find = createFinder();
  expect(await find(0, '::1')).toEqual(['web-1', 1]);
  expect(await find(59_999, '::1')).toEqual(['web-1', 1]);
  expect(await find(59_999, '::2')).toEqual(['web-2', 2]);
  expect(await find(64_998, '::3')).toEqual(['', 2]);
  expect(await find(119_998, '::2')).toEqual(['web-2', 2]);
  // The server does not respond.
  expect(await find(119_999, '::2')).toEqual(['web-2', 3]);
  expect(await find(124_999, '::3')).toEqual(['', 4]);
});
