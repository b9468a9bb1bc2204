import { expect, test } from 'vitest';
import { CLUSTER_STATUSES, HOST_STATUSES } from '#vocabulary';
import { spanLook } from './span-look.ts';

test.each([
  ['a host', HOST_STATUSES],
  ['a cluster', CLUSTER_STATUSES],
])('no two statuses of %s look the same', (_what, words) => {
  const looks = words.map(word => JSON.stringify(spanLook(word)));
  expect(new Set(looks).size).toBe(words.length);
});
