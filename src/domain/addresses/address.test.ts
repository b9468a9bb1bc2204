import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressSortKey as keyOfDashboard } from '../../../web/src/hosts/address-sort-key.ts';
import type { Address } from './address.ts';
import { addressSortKey, parseAddress, sortAddresses } from './address.ts';

const parsed = (text: string): Address => {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} should be an address`);
  return address;
};

/** Zeros are frequent: which of them are left out is most of the form. */
const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
const ipv6Text = (numbers: readonly number[]) =>
  numbers.map(number => number.toString(16).padStart(4, '0')).join(':');

describe('an address', () => {
  test.each([
    ['IPv4 as it is', '10.0.0.1', '10.0.0.1'],
    ['the lowest IPv4', '0.0.0.0', '0.0.0.0'],
    ['the highest IPv4', '255.255.255.255', '255.255.255.255'],
    ['the loopback', '0:0:0:0:0:0:0:1', '::1'],
    ['the unspecified', '0:0:0:0:0:0:0:0', '::'],
    ['capitals', '2001:DB8::ABCD', '2001:db8::abcd'],
    ['leading zeros of a group', '2001:0db8::0001', '2001:db8::1'],
    ['the longest run of zeros', '1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['the first of two equal runs', '2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['a single zero group, which is not shortened', '1::3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
    ['a run at the end', '1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
    ['IPv4 inside, in dots', '::ffff:192.0.2.1', '192.0.2.1'],
    ['IPv4 inside, in hexadecimal', '::ffff:c000:201', '192.0.2.1'],
    ['IPv4 inside, in capitals and full length', '0:0:0:0:0:FFFF:192.0.2.1', '192.0.2.1'],
    ['an IPv4 tail behind another prefix', '64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['an IPv4 tail that is not mapped', '::192.0.2.1', '::c000:201'],
  ])('is canonical: %s', (_what, text, canonical) => {
    expect(parseAddress(text)).toBe(canonical);
  });

  test.each([
    ['nothing', ''],
    ['a name', 'host-1'],
    ['a name with dots', 'node.example.com'],
    ['a zone', 'fe80::1%eth0'],
    ['a zone by number', 'fe80::1%1'],
    ['brackets', '[::1]'],
    ['a port', '10.0.0.1:22'],
    ['a network', '10.0.0.0/8'],
    ['three parts', '10.0.1'],
    ['one number', '167772161'],
    ['five parts', '1.2.3.4.5'],
    ['a part out of range', '10.0.0.256'],
    ['octal', '010.0.0.1'],
    ['hexadecimal IPv4', '0xa.0.0.1'],
    ['octal inside IPv6', '::ffff:010.0.0.1'],
    ['hexadecimal inside IPv6', '::ffff:0xa.0.0.1'],
    ['three parts inside IPv6', '::ffff:10.0.1'],
    ['seven groups', '1:2:3:4:5:6:7'],
    ['nine groups', '1:2:3:4:5:6:7:8:9'],
    ['two gaps', '1::2::3'],
    ['a group of five digits', '::00001'],
    ['white space before', ' 10.0.0.1'],
    ['a newline behind', '10.0.0.1\n'],
    ['digits of another script', '١٠.0.0.1'],
  ])('is not %s', (_what, text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  test('has one form only, the one that URLs use as well', () => {
    fc.assert(
      fc.property(groups, numbers => {
        const text = ipv6Text(numbers);
        const address = parsed(text);
        if (!address.includes(':')) return numbers.slice(0, 6).join() === '0,0,0,0,0,65535';
        return new URL(`http://[${text}]`).hostname === `[${address}]` && parseAddress(address) === address;
      }),
    );
  });
});

describe('the order of addresses', () => {
  const inOrder = ['0.0.0.0', '2.0.0.0', '10.0.0.9', '10.0.0.10', '200.0.0.0', '::1', '2::', '10::', 'a0::'];

  test('is by numeric value, IPv4 first', () => {
    const addresses = inOrder.map(parsed);
    expect(sortAddresses(addresses.toReversed())).toEqual(inOrder);
  });

  test('is the order of the sort keys as text', () => {
    const byKey = inOrder
      .map(parsed)
      .toReversed()
      .map(address => ({ address, key: addressSortKey(address) }));
    byKey.sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(byKey.map(({ address }) => address)).toEqual(inOrder);
  });

  test('is the one that the dashboard has, which cannot read addresses as the service does', () => {
    const texts = fc.oneof(fc.ipV4(), groups.map(ipv6Text));
    fc.assert(
      fc.property(texts.map(parsed), address => {
        expect(keyOfDashboard(address)).toBe(addressSortKey(address));
      }),
      { numRuns: 500 },
    );
  });

  test('takes an address as equal to itself alone', () => {
    expect(addressSortKey(parsed('10.0.0.1'))).toBe(addressSortKey(parsed('::ffff:10.0.0.1')));
    expect(addressSortKey(parsed('10.0.0.1'))).not.toBe(addressSortKey(parsed('10.0.0.2')));
  });
});
