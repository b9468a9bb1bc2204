// Bodies: those that a row asks for, and what may go wrong with them on the way from an object to bytes.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { IsObject } from 'typebox';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { drivers } from '../../../src/drivers/index.ts';
import { objectOf } from './by-schema.ts';
import { odd } from './values.ts';

type Fields = Record<string, unknown>;

const driverFields = fc.oneof(
  ...[...drivers.network, ...drivers.container_manager].map(({ type, options }) =>
    fc.record({ type: fc.constant(type), options: objectOf(options) }),
  ),
);

/** Fields that the row takes, as far as its schema tells. */
export function fieldsOf({ body }: RouteDefinition): fc.Arbitrary<Fields> {
  if (body === undefined) return fc.constant({});
  return IsObject(body) && 'options' in body.properties ? driverFields : objectOf(body);
}

const anyValue = fc.oneof(
  odd,
  fc.jsonValue(),
  fc.constantFrom(null, true, -0, 1e21, 2 ** 53, '\ud800', {}, []),
);

type Change = (fields: Fields, field: string, value: unknown, added: string) => Fields;

/** Most leave the fields as they are. */
const changes: readonly Change[] = [
  ...Array<Change>(6).fill(fields => fields),
  (fields, field) => ({ ...fields, [field]: undefined }),
  (fields, field, value) => ({ ...fields, [field]: value }),
  (fields, _field, value, added) => ({ ...fields, [added]: value }),
];

const jsonOf = (row: RouteDefinition) =>
  fc.tuple(fieldsOf(row), fc.constantFrom(...changes), fc.nat(), anyValue, odd).map(parts => {
    const [fields, change, at, value, added] = parts;
    const names = Object.keys(fields);
    return JSON.stringify(change(fields, names[at % names.length] ?? 'name', value, added));
  });

const DEEP = 20_000;

/** What may happen to good JSON; each still ends, so that nobody waits for more. */
const bends: readonly ((json: string) => string)[] = [
  json => `[${json}]`,
  json => json.slice(0, -1),
  json => `${json}${json}`,
  json => json.replace('{', '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}},'),
  json => json.replace('{', '{"name":"a","name":"b","type":1,"type":"none",'),
  json => json.replace('{', '{"options":1e999,"ssh_port":1e-999,"limit":-0,'),
  json => json.replace('{', `{"ssh_port":${'9'.repeat(5000)},`),
  json => json.replace('{', '{"source":"\\ud800","password":"\\udc00\\u0000",'),
  json => json.replace('}', `,"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
  json => '['.repeat(DEEP) + json,
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

export const bodyOf = (row: RouteDefinition): fc.Arbitrary<Buffer> => {
  const json = jsonOf(row);
  return fc.oneof(
    { weight: 12, arbitrary: json.map(utf8) },
    {
      weight: 3,
      arbitrary: fc.tuple(json, fc.constantFrom(...bends)).map(([text, bend]) => utf8(bend(text))),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(json, fc.constantFrom(...encodings)).map(([text, encode]) => encode(text)),
    },
    { weight: 1, arbitrary: fc.json().map(utf8) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)) },
  );
};
