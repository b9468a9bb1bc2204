import { expect, test } from 'vitest';
import { isLinkLocalOrMetadata, isPublicAddress } from './public-address.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  // 6to4 and NAT64 of a public address.
  '2002:808:808::1',
  '64:ff9b::8.8.8.8',
])('isPublicAddress accepts %s', address => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['link-local (cloud metadata)', '169.254.169.254'],
  ['Azure metadata', '168.63.129.16'],
  ['Azure metadata, mapped', '::ffff:168.63.129.16'],
  ['carrier-grade NAT (cloud metadata)', '100.100.100.200'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['reserved', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['unique-local', 'fc00::1'],
  ['unique-local (cloud metadata)', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['discard-only', '100::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped private', '::ffff:10.0.0.1'],
  ['mapped in hexadecimal', '::ffff:7f00:1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['6to4 of loopback', '2002:7f00:1::1'],
  ['6to4 of a private address', '2002:c0a8:101::1'],
  ['NAT64 of loopback', '64:ff9b::127.0.0.1'],
  ['NAT64 of link-local', '64:ff9b::a9fe:a9fe'],
  ['local-use NAT64', '64:ff9b:1::808:808'],
  ['unassigned', '4000::1'],
  ['malformed', 'localhost'],
  ['malformed', ''],
])('isPublicAddress rejects a %s address: %s', (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ['169.254.169.254', true],
  ['169.254.0.1', true],
  ['::ffff:169.254.169.254', true],
  ['64:ff9b::a9fe:a9fe', true],
  ['2002:a9fe:a9fe::1', true],
  ['fe80::1', true],
  ['febf::1', true],
  ['::a9fe:a9fe', true],
  ['::ffff:0:a9fe:a9fe', true],
  ['64:ff9b:1::a9fe:a9fe', true],
  // Cloud metadata services.
  ['fd00:ec2::254', true],
  ['fd20:ce::254', true],
  ['100.100.100.200', true],
  ['192.0.0.192', true],
  ['::ffff:168.63.129.16', true],
  ['::1', false],
  ['::ffff:0:7f00:1', false],
  ['169.253.255.255', false],
  ['10.0.0.1', false],
  ['127.0.0.1', false],
  ['fec0::1', false],
  ['fd00::1', false],
  ['8.8.8.8', false],
  ['localhost', false],
])('isLinkLocalOrMetadata(%s) is %s', (address, isLinkLocal) => {
  expect(isLinkLocalOrMetadata(address)).toBe(isLinkLocal);
});
