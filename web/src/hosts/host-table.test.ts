import { expect, test } from 'vitest';
import { createRow, matchesSearch, nextDetailsRequest } from './host-table.ts';

const createAddresses = (count: number) => Array.from({ length: count }, (_, index) => `::${index + 1}`);
const INDEX = new Map(createAddresses(300).map((address, index) => [address, index]));

test.each<[string, missing: readonly string[], expected: readonly string[] | 'all']>([
  ['nothing when no details are missing', [], []],
  ['the details of a few hosts', createAddresses(3), createAddresses(3)],
  ['the first four of many hosts', createAddresses(200), createAddresses(4)],
  ['all hosts above the limit', createAddresses(201), 'all'],
  ['all hosts when a host has no row', ['::1', '127.0.0.1'], 'all'],
])('nextDetailsRequest requests %s', (_title, missing, expected) => {
  expect(nextDetailsRequest({ missingDetails: new Set(missing), indexByAddress: INDEX })).toEqual(expected);
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
])('matchesSearch("%s") returns %s', (search, isFound) => {
  expect(matchesSearch(search)(host)).toBe(isFound);
});
