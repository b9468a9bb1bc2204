// The JSON format of the etcd gateway: keys and values in base64, 64-bit numbers as strings; zero and empty values are
// omitted.

import type { Static } from 'typebox';
import Type from 'typebox';
import type { JsonResponse } from '../http/json-client.ts';
import { schemaParser, schemaParserOr } from '../http/schema-parser.ts';

const revision = Type.String({ pattern: '^[0-9]{1,20}$' });
const header = Type.Object({ revision: Type.Optional(revision) });
const keyValue = Type.Object({
  key: Type.String(),
  value: Type.Optional(Type.String()),
  mod_revision: Type.Optional(revision),
  lease: Type.Optional(Type.String({ pattern: '^-?[0-9]{1,20}$' })),
});
const range = Type.Object({
  header: Type.Optional(header),
  kvs: Type.Optional(Type.Array(keyValue)),
  more: Type.Optional(Type.Boolean()),
});

const readRange = schemaParser('the response of etcd', range);
const readTransaction = schemaParser(
  'the response of etcd',
  Type.Object({
    succeeded: Type.Optional(Type.Boolean()),
    responses: Type.Optional(Type.Array(Type.Object({ response_range: Type.Optional(range) }))),
  }),
);
const readStatus = schemaParser('the status of etcd', Type.Object({ version: Type.String() }));
const readError = schemaParserOr(
  Type.Object({ message: Type.Optional(Type.String()), error: Type.Optional(Type.String()) }),
  {},
);

export const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64');
const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString();

/** The first key after all keys with the prefix. 0xff does not occur in UTF-8, so the last byte cannot overflow. */
export function encodePrefixEnd(prefix: string): string {
  const bytes = Buffer.from(prefix);
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) + 1;
  return bytes.toString('base64');
}

export type EtcdEntry = Readonly<ReturnType<typeof toEntry>>;

const toEntry = ({ key, value = '', mod_revision = '0', lease = '0' }: Static<typeof keyValue>) => ({
  key: decodeBase64(key),
  value: decodeBase64(value),
  /** Changes with every update of the entry. */
  modRevision: mod_revision,
  /** Whether the entry expires unless its lease is renewed. */
  isLeased: lease !== '0',
});

export type EtcdPage = Readonly<ReturnType<typeof parseRange>>;

export function parseRange(body: unknown) {
  const { header: responseHeader, kvs = [], more = false } = readRange(body);
  return { entries: kvs.map(toEntry), revision: responseHeader?.revision ?? '0', isLast: !more };
}

export function parseTransaction(body: unknown) {
  const { succeeded = false, responses = [] } = readTransaction(body);
  const found = responses.flatMap(({ response_range }) => response_range?.kvs ?? []);
  return { hasSucceeded: succeeded, entries: found.map(toEntry) };
}

export const parseVersion = (body: unknown): string => readStatus(body).version;

export function errorText({ body, text = '' }: JsonResponse): string {
  if (typeof body !== 'object') return text;
  const { message, error } = readError(body);
  return message ?? error ?? '';
}
