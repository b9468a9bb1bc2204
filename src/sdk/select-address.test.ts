import { expect, test } from 'vitest';
import { selectAddress } from './select-address.ts';

test.each<[string, readonly string[], ReturnType<typeof selectAddress>]>([
  ['no address', [], { problem: 'has no address' }],
  ['one address', ['192.0.2.7'], { address: '192.0.2.7' }],
  ['the same address twice', ['192.0.2.7', '192.0.2.7'], { address: '192.0.2.7' }],
  ['both families', ['2001:db8::7', '192.0.2.7'], { address: '192.0.2.7' }],
  ['only IPv6', ['2001:db8::7'], { address: '2001:db8::7' }],
  [
    'several addresses of a family',
    ['192.0.2.7', '192.0.2.8'],
    { problem: 'has several addresses (192.0.2.7, 192.0.2.8): use one of them' },
  ],
])('selectAddress handles %s', (_title, addresses, expected) => {
  expect(selectAddress(addresses)).toEqual(expected);
});
