import { describe, expect, test } from 'vitest';
import type { Address } from './address.ts';
import type { Cidr } from './cidr.ts';
import { isInCidr, parseCidr } from './cidr.ts';

const MESSAGE = /^must be an IPv4 or IPv6 network/;

describe('CIDR network', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.7/32', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ])('canonicalizes %s to %s', (text, canonical) => {
    expect(parseCidr(text)).toBe(canonical);
  });

  test.each<readonly [string, RegExp]>([
    ['10.1.2.3/8', /the network is 10\.0\.0\.0\/8$/],
    ['2001:db8::1/64', /the network is 2001:db8::\/64$/],
    ['::ffff:10.1.0.0/104', /the network is 10\.0\.0\.0\/8$/],
    ...['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/-1', '10/8', '010.0.0.0/8', '10.0.0.0/8/8'].map(
      text => [text, MESSAGE] as const,
    ),
    ...['2001:db8::/129', 'fe80::%eth0/64', '::ffff:0.0.0.0/90', 'example.com/8', '/8', ' 10.0.0.0/8'].map(
      text => [text, MESSAGE] as const,
    ),
  ])('rejects %s', (text, problem) => {
    expect(parseCidr(text)).toMatchObject({ errors: [{ path: '/cidr', message: expect.stringMatching(problem) }] });
  });

  test.each([
    ['10.255.0.1', '10.0.0.0/8', true],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['2001:db8:1::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['10.0.0.1', '::/0', false],
    ['2001:db8::1', '0.0.0.0/0', false],
  ])('isInCidr of %s and %s is %s', (address, cidr, isContained) => {
    expect(isInCidr(address as Address, cidr as Cidr)).toBe(isContained);
  });
});
