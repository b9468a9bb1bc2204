import { expect, test } from 'vitest';
import { rowOf } from './fleet.ts';
import { hasWords } from './has-words.ts';

const host = rowOf({
  ...{ address: '127.81.0.12', status: 'active', os: 'debian', cpus: 1, memory: 1, hostname: 'Web-12' },
  ...{ cluster: 'edge', labels: { ring: 'first', spot: '' }, isInMaintenance: false, reason: 'no route' },
});

test.each([
  ['', true],
  ['81.0', true],
  ['WEB', true],
  ['ring=first', true],
  ['spot', true],
  ['edge', true],
  ['debian  web-12 ', true],
  ['debian web-13', false],
  ['second', false],
  ['route', false],
])('a search for "%s" finds it: %s', (search, isFound) => {
  expect(hasWords(search)(host)).toBe(isFound);
});
