import { expect, test } from 'vitest';
import { LruMap } from './lru-map.ts';

test('LruMap drops the entry that was set least recently', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
