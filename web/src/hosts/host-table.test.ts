import { expect, test } from 'vitest';
import { createRow, matchesSearch, nextDetailsRequest } from './host-table.ts';

const createAddresses = (count: number) => Array.from({ length: count }, (_, index) => `::${index + 1}`);
const INDEX = new Map(createAddresses(300).map((address, index) => [address, index]));

test.each<[string, unread: readonly string[], read: readonly string[] | 'all']>([
  ['nothing, when everything is known', [], []],
  ['the facts of a few', createAddresses(3), createAddresses(3)],
  ['the facts of some more, a few at a time', createAddresses(200), createAddresses(4)],
  ['all, when they are too many', createAddresses(201), 'all'],
  ['all, when a host has come that nothing is known of', ['::1', '127.0.0.1'], 'all'],
])('what is read next: %s', (_title, unread, read) => {
  expect(nextDetailsRequest({ missingDetails: new Set(unread), indexByAddress: INDEX })).toEqual(read);
});

const host = createRow({
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
  expect(matchesSearch(search)(host)).toBe(isFound);
});
