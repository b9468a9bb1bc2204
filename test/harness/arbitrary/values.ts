// What requests are about. Few names and addresses, so that requests meet each other's records; the addresses are loopback's.

import fc from 'fast-check';
import { PRIVATE_KEY } from '../keys.ts';

export const NAMES = ['web', 'lab', 'db', 'default', 'token', '-'] as const;
export const ADDRESSES = [
  '127.0.0.1',
  '127.0.0.2',
  '127.0.0.3',
  '::1',
  '0:0::0:1',
  '::ffff:127.0.0.4',
] as const;

export const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/) },
);
export const address = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ADDRESSES) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(parts => `127.${parts.join('.')}`),
  },
);

/** Text that is nobody's name or address. */
export const odd = fc.oneof(
  fc.constantFrom(
    ...['', '.', '..', '*', '%', '\0', 'a\0b', '[::1]', '::1%lo', '127.1', '0127.0.0.1', '2130706433'],
    ...['localhost', '__proto__', 'constructor', '{name}', '(hidden)', '-1', '1e3', '9'.repeat(400)],
    ...['a'.repeat(129), 'ä', '\u{1F4A9}', '\uFEFFa', "'; drop table hosts; --", '2026-02-31'],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Values of fields that only a few words fit. */
export const KNOWN: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name,
  network: fc.constantFrom('default', 'lab', 'web', '10.1.0.0/16'),
  container_manager: fc.constantFrom('', 'lab', 'web'),
  cluster: fc.constantFrom('', 'web', 'lab'),
  host: address,
  address,
  old: fc.subarray([...ADDRESSES]),
  new: fc.subarray([...ADDRESSES]),
  hosts: fc.subarray([...ADDRESSES], { minLength: 1 }),
  ssh_priv_key: fc.constant(PRIVATE_KEY),
  after: fc.oneof(name, address, fc.nat().map(String)),
  since: fc.constantFrom('2015-12-17', '2026-01-01T00:00:00.000001'),
  until: fc.constantFrom('2015-12-17', '2126-01-01T00:00:00'),
  label: fc.constantFrom('zone', 'zone=a1', 'zone='),
  fingerprint: fc.constantFrom(`SHA256:${'A'.repeat(43)}`),
  server_url: fc.constant('https://127.0.0.1:6443'),
  endpoints: fc.constant(['http://[::1]:2379']),
};
