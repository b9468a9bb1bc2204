import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressSortKey as keyOfDashboard } from '../../../web/src/hosts/addresses.ts';
import type { Address } from './address.ts';
import { addressSortKey, parseAddress, sortAddresses } from './address.ts';

const parsed = (text: string): Address => {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} should be an address`);
  return address;
};

/** Zero groups are frequent, because their compression is the hardest part of the canonical form. */
const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
const ipv6Text = (numbers: readonly number[]) => numbers.map(number => number.toString(16).padStart(4, '0')).join(':');

describe('parseAddress', () => {
  test.each([
    ['IPv4', '10.0.0.1', '10.0.0.1'],
    ['the lowest IPv4', '0.0.0.0', '0.0.0.0'],
    ['the highest IPv4', '255.255.255.255', '255.255.255.255'],
    ['the loopback address', '0:0:0:0:0:0:0:1', '::1'],
    ['the unspecified address', '0:0:0:0:0:0:0:0', '::'],
    ['upper case', '2001:DB8::ABCD', '2001:db8::abcd'],
    ['leading zeros of a group', '2001:0db8::0001', '2001:db8::1'],
    ['the longest run of zeros', '1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['the first of two equal runs', '2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['a single zero group, which is not shortened', '1::3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
    ['a run at the end', '1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
    ['mapped IPv4 in dotted form', '::ffff:192.0.2.1', '192.0.2.1'],
    ['mapped IPv4 in hexadecimal', '::ffff:c000:201', '192.0.2.1'],
    ['IPv4 inside, in upper case and full length', '0:0:0:0:0:FFFF:192.0.2.1', '192.0.2.1'],
    ['an IPv4 tail with another prefix', '64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['an IPv4 tail that is not mapped', '::192.0.2.1', '::c000:201'],
  ])('canonicalizes %s', (_what, text, canonical) => {
    expect(parseAddress(text)).toBe(canonical);
  });

  test.each([
    ['an empty text', ''],
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
    ['leading white space', ' 10.0.0.1'],
    ['a trailing newline', '10.0.0.1\n'],
    ['non-ASCII digits', '١٠.0.0.1'],
  ])('rejects %s', (_what, text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  test('returns the same canonical IPv6 form as the WHATWG URL parser', () => {
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

describe('address order', () => {
  const inOrder = ['0.0.0.0', '2.0.0.0', '10.0.0.9', '10.0.0.10', '200.0.0.0', '::1', '2::', '10::', 'a0::'];

  test('is by numeric value, IPv4 first', () => {
    const addresses = inOrder.map(parsed);
    expect(sortAddresses(addresses.toReversed())).toEqual(inOrder);
  });

  test('equals the text order of the sort keys', () => {
    const byKey = inOrder
      .map(parsed)
      .toReversed()
      .map(address => ({ address, key: addressSortKey(address) }));
    byKey.sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(byKey.map(({ address }) => address)).toEqual(inOrder);
  });

  test('equals the order in the dashboard, which has its own implementation', () => {
    const texts = fc.oneof(fc.ipV4(), groups.map(ipv6Text));
    fc.assert(
      fc.property(texts.map(parsed), address => {
        expect(keyOfDashboard(address)).toBe(addressSortKey(address));
      }),
      { numRuns: 500 },
    );
  });

  test('has one key per address', () => {
    expect(addressSortKey(parsed('10.0.0.1'))).toBe(addressSortKey(parsed('::ffff:10.0.0.1')));
    expect(addressSortKey(parsed('10.0.0.1'))).not.toBe(addressSortKey(parsed('10.0.0.2')));
  });
});
