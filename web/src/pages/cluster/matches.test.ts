import { expect, test } from 'vitest';
import { matches } from './matches.ts';
import type { Member } from './read-hosts.ts';

const host: Member = {
  ...{ address: '127.81.0.12', status: 'active', os: 'debian', cpus: 1, memory: 1, space: 1, last_check: '' },
  ...{ hostname: 'web-12', cluster: '', labels: { ring: 'first' }, maintenance: false, reason: '' },
};

test.each([
  ['', true],
  ['81.0', true],
  ['WEB', true],
  ['ring=first', true],
  ['debian web-12', true],
  ['debian web-13', false],
  ['second', false],
])('a search for "%s" finds it: %s', (search, isFound) => {
  expect(matches(host, search)).toBe(isFound);
});
