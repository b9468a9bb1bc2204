// Every part of a request is parsed once, here, where it enters; what a handler gets has passed.

import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { IsBoolean, IsInteger, IsObject } from 'typebox';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { AppError, appErrorFromFields, invalidBody } from '../../domain/errors.ts';
import { isRecordName } from '../../domain/record-name.ts';
import { NAME_MESSAGE, OPERATION_ID_PATTERN } from '../../domain/vocabulary.ts';
import { compileSchema } from '../../lib/schema.ts';
import { Refused } from '../problems/refused.ts';

const badPath = (code: ErrorCode, detail: string) => ({ error: new Refused(new AppError(code, detail)) });

export const INVALID_NAME = `the name in the URL ${NAME_MESSAGE}`;
export const INVALID_ADDRESS = 'the address in the URL must be an IPv4 or IPv6 address';

const OPERATION_ID = new RegExp(`^${OPERATION_ID_PATTERN}$`);

function parseParams(params: Record<string, string>): { value: unknown } | { error: Refused } {
  const { name, address, id } = params;
  if (name !== undefined && !isRecordName(name)) {
    return badPath('invalid_name', INVALID_NAME);
  }
  // No operation has such an id.
  if (id !== undefined && !OPERATION_ID.test(id))
    return badPath('not_found', 'this operation does not exist');
  if (address === undefined) return { value: params };
  const parsed = parseAddress(address);
  if (parsed === undefined) {
    return badPath('invalid_address', INVALID_ADDRESS);
  }
  return { value: parsed === address ? params : { ...params, address: parsed } };
}

/** No record has a zero byte in it, and PostgreSQL refuses to look for one. */
const zeroBytes = (query: Readonly<Record<string, unknown>>) =>
  Object.entries(query).flatMap(([name, text]) =>
    typeof text === 'string' && text.includes('\0')
      ? [{ path: `/${name}`, message: 'must not contain a NUL byte' }]
      : [],
  );

/** Longer ones are not exact any more. */
const WHOLE_NUMBER = /^-?\d{1,16}$/;

/** Query values arrive as text; numbers, true and false among them are read as the schema says. */
function queryParser(schema: TSchema) {
  const check = compileSchema(schema);
  const properties = IsObject(schema) ? Object.entries(schema.properties) : [];
  const numbers = properties.flatMap(([name, property]) => (IsInteger(property) ? [name] : []));
  const booleans = properties.flatMap(([name, property]) => (IsBoolean(property) ? [name] : []));
  return (query: Readonly<Record<string, unknown>>) => {
    const value = { ...query };
    for (const name of numbers) {
      const text = value[name];
      if (typeof text === 'string' && WHOLE_NUMBER.test(text)) value[name] = Number(text);
    }
    for (const name of booleans) {
      const text = value[name];
      if (text === 'true' || text === 'false') value[name] = text === 'true';
    }
    const errors = check(value).concat(zeroBytes(value));
    return errors.length > 0
      ? { error: new Refused(appErrorFromFields('invalid_query', errors, 'the query')) }
      : { value };
  };
}

/** No body, which Fastify passes as `null`, is an empty one. */
function bodyParser(schema: TSchema) {
  const check = compileSchema(schema);
  return (body: unknown) => {
    const value = body ?? {};
    const errors = check(value);
    return errors.length > 0 ? { error: new Refused(invalidBody(...errors)) } : { value };
  };
}

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'params') return parseParams;
  return httpPart === 'querystring' ? queryParser(schema) : bodyParser(schema);
};
