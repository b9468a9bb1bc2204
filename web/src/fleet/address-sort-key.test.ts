import { expect, test } from 'vitest';
import { addressSortKey } from './address-sort-key.ts';

const IN_ORDER = [
  '9.9.9.9',
  '10.0.0.2',
  '10.0.0.10',
  '127.0.0.1',
  '::1',
  '::1:0:0',
  '1::',
  'fe80::1',
  'fe80::a:0',
];

test('addresses are in the order of their numbers, IPv4 first', () => {
  const shuffled = IN_ORDER.toSorted();
  expect(shuffled.sort((a, b) => (addressSortKey(a) < addressSortKey(b) ? -1 : 1))).toEqual(IN_ORDER);
});
