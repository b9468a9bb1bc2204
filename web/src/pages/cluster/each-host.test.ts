import { expect, test } from 'vitest';
import type { EachHost } from './each-host.ts';
import { eachHost } from './each-host.ts';

const hosts = Array.from({ length: 20 }, (_, index) => `::${index + 1}`);

test('each host is asked for once, no more than eight at a time, and a refusal stops no other', async () => {
  const asked: string[] = [];
  const states: EachHost[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const over = await eachHost(
    hosts,
    async address => {
      asked.push(address);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      if (address === '::7') throw new Error('no');
    },
    state => states.push(state),
  );
  expect(asked.toSorted()).toEqual(hosts.toSorted());
  expect(mostAtOnce).toBe(8);
  expect(over).toMatchObject({ total: 20, done: 19, isOver: true });
  expect(over.refused.map(({ address }) => address)).toEqual(['::7']);
  expect([states[0], states.at(-1)]).toEqual([{ total: 20, done: 0, refused: [], isOver: false }, over]);
});

test('it can be stopped between two hosts', async () => {
  const stop = new AbortController();
  const over = await eachHost(
    hosts,
    async () => stop.abort(),
    () => {},
    stop.signal,
  );
  expect(over.done).toBe(1);
});
