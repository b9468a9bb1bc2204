// Request bodies: valid bodies of a route, and mutations of their JSON and encoding.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { IsObject } from 'typebox';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { drivers } from '../../../src/drivers/index.ts';
import { arbitraryObject, unusualText } from './values.ts';

type Fields = Record<string, unknown>;

const driverFields = fc.oneof(
  ...[...drivers.network, ...drivers.container_manager].map(({ type, options }) =>
    fc.record({ type: fc.constant(type), options: arbitraryObject(options) }),
  ),
);

export function arbitraryFields({ body }: RouteDefinition): fc.Arbitrary<Fields> {
  if (body === undefined) return fc.constant({});
  return IsObject(body) && 'options' in body.properties ? driverFields : arbitraryObject(body);
}

const anyValue = fc.oneof(
  unusualText,
  fc.jsonValue(),
  fc.constantFrom(null, true, -0, 1e21, 2 ** 53, '\ud800', {}, []),
);

type FieldChange = (fields: Fields, field: string, value: unknown, added: string) => Fields;

/** Most requests keep their fields unchanged. */
const changes: readonly FieldChange[] = [
  ...Array<FieldChange>(6).fill(fields => fields),
  (fields, field) => ({ ...fields, [field]: undefined }),
  (fields, field, value) => ({ ...fields, [field]: value }),
  (fields, _field, value, added) => ({ ...fields, [added]: value }),
];

const arbitraryJson = (route: RouteDefinition) =>
  fc.tuple(arbitraryFields(route), fc.constantFrom(...changes), fc.nat(), anyValue, unusualText).map(generated => {
    const [fields, change, index, value, added] = generated;
    const names = Object.keys(fields);
    return JSON.stringify(change(fields, names[index % names.length] ?? 'name', value, added));
  });

const NESTING_DEPTH = 20_000;

/** Every mutation still has an end, so the server does not wait for more bytes. */
const mutations: readonly ((json: string) => string)[] = [
  json => `[${json}]`,
  json => json.slice(0, -1),
  json => `${json}${json}`,
  json => json.replace('{', '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}},'),
  json => json.replace('{', '{"name":"a","name":"b","type":1,"type":"none",'),
  json => json.replace('{', '{"options":1e999,"ssh_port":1e-999,"limit":-0,'),
  json => json.replace('{', `{"ssh_port":${'9'.repeat(5000)},`),
  json => json.replace('{', '{"source":"\\ud800","password":"\\udc00\\u0000",'),
  json => json.replace('}', `,"deep":${'['.repeat(NESTING_DEPTH)}${']'.repeat(NESTING_DEPTH)}}`),
  json => '['.repeat(NESTING_DEPTH) + json,
  json => json.replaceAll('"', "'"),
  json => `${json}\0`,
  json => `\uFEFF${json}`,
  json => ` \t\r\n${json}\r\n`,
  json => `// ${json}`,
  () => '',
  () => 'null',
  () => 'NaN',
  () => '"\ud800"',
];

const encodings: readonly ((text: string) => Buffer)[] = [
  text => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  text => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  text => Buffer.from(text, 'utf16le'),
  text => Buffer.from(`${text}äöü`, 'latin1'),
  text => gzipSync(text),
  text => deflateSync(text),
  text => brotliCompressSync(text),
  text => gzipSync(text).subarray(0, 12),
];

const utf8 = (text: string) => Buffer.from(text);

export const arbitraryBody = (route: RouteDefinition): fc.Arbitrary<Buffer> => {
  const json = arbitraryJson(route);
  return fc.oneof(
    { weight: 12, arbitrary: json.map(utf8) },
    {
      weight: 3,
      arbitrary: fc.tuple(json, fc.constantFrom(...mutations)).map(([text, mutate]) => utf8(mutate(text))),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(json, fc.constantFrom(...encodings)).map(([text, encode]) => encode(text)),
    },
    { weight: 1, arbitrary: fc.json().map(utf8) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)) },
  );
};
