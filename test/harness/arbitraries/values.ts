// Few names and addresses, so that requests refer to the records of other requests. All addresses are
// loopback.

import fc from 'fast-check';
import { PRIVATE_KEY } from '../credentials.ts';

const NAMES = ['web', 'lab', 'db', 'default', 'token', '-'] as const;
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '::1', '0:0::0:1', '::ffff:127.0.0.4'] as const;

export const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/) },
);
export const address = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ADDRESSES) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(octets => `127.${octets.join('.')}`),
  },
);

/** Any character. The unit `binary` of fast-check is the same, but takes seconds to create. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(codePoint => String.fromCodePoint(codePoint));

/** Text that is not a valid name or address. */
export const unusualText = fc.oneof(
  fc.constantFrom(
    ...['', '.', '..', '*', '%', '\0', 'a\0b', '[::1]', '::1%lo', '127.1', '0127.0.0.1', '2130706433'],
    ...['localhost', '__proto__', 'constructor', '{name}', '(hidden)', '-1', '1e3', '9'.repeat(400)],
    ...['a'.repeat(129), 'ä', '\u{1F4A9}', '\uFEFFa', "'; drop table hosts; --", '2026-02-31'],
  ),
  fc.string({ unit: character, maxLength: 40 }),
);

/** Values of fields for which a random string is rarely valid. */
export const FIELD_VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
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

/** The JSON Schema keywords that our schemas use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
}

const optional = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const arbitraryRecord = (names: Schema, value: Schema = {}) =>
  fc.dictionary(arbitraryValue(names) as fc.Arbitrary<string>, arbitraryValue(value), { maxKeys: 5 });

/** Fields with the value `undefined` are omitted from the JSON. */
export function arbitraryObject(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], propertyNames } = schema;
  if (propertyNames) return arbitraryRecord(propertyNames, ...Object.values(schema.patternProperties ?? {}));
  const fields = Object.entries(properties).map(([field, schema]) => {
    const value = FIELD_VALUES[field] ?? arbitraryValue(schema);
    return [field, required.includes(field) ? value : optional(value)] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

/** Values that match a schema, or nearly match it. */
export function arbitraryValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(arbitraryValue));
  switch (schema.type) {
    case 'string':
      return schema.pattern
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.string({ unit: character, minLength: schema.minLength ?? 0 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2 ** 31 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(arbitraryValue(schema.items ?? {}), { maxLength: 5 });
    case 'object':
      return arbitraryObject(schema);
    default:
      return fc.jsonValue();
  }
}
