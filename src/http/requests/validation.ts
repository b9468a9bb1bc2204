// Fastify validators for path parameters, query and body. Handlers get only validated values.

import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { IsBoolean, IsInteger, IsObject } from 'typebox';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { ErrorCode, FieldError } from '../../domain/errors.ts';
import { AppError, appErrorFromFields, invalidBody } from '../../domain/errors.ts';
import { isRecordName } from '../../domain/record-name.ts';
import { NAME_MESSAGE, OPERATION_ID_PATTERN } from '../../domain/vocabulary.ts';
import { compileSchema } from '../../lib/schema.ts';
import { AppErrorException } from '../errors/error-responses.ts';
import type { PathParams } from '../request-context.ts';

const invalidPath = (code: ErrorCode, detail: string) => ({
  error: new AppErrorException(new AppError(code, detail)),
});

export const INVALID_NAME = `the name in the URL ${NAME_MESSAGE}`;
export const INVALID_ADDRESS = 'the address in the URL must be an IPv4 or IPv6 address';

const OPERATION_ID = new RegExp(`^${OPERATION_ID_PATTERN}$`);

function parseParams(params: Record<string, string>): { value: unknown } | { error: AppErrorException } {
  const { name, address, id } = params;
  if (name !== undefined && !isRecordName(name)) {
    return invalidPath('invalid_name', INVALID_NAME);
  }
  if (id !== undefined && !OPERATION_ID.test(id)) return invalidPath('not_found', 'this operation does not exist');
  if (address === undefined) return { value: params };
  const parsed = parseAddress(address);
  if (parsed === undefined) {
    return invalidPath('invalid_address', INVALID_ADDRESS);
  }
  return { value: parsed === address ? params : { ...params, address: parsed } };
}

/** No stored value contains a NUL byte, and PostgreSQL rejects queries with one. */
const findNulBytes = (query: Readonly<Record<string, unknown>>) =>
  Object.entries(query).flatMap(([name, text]) =>
    typeof text === 'string' && text.includes('\0')
      ? [{ path: `/${name}`, message: 'must not contain a NUL byte' }]
      : [],
  );

/** Numbers with more digits exceed the safe integer range. */
const INTEGER_PATTERN = /^-?\d{1,16}$/;

/** Query values arrive as strings. Integers and booleans are converted if the schema expects them. */
function queryParser(schema: TSchema) {
  const check = compileSchema(schema);
  const properties = IsObject(schema) ? Object.entries(schema.properties) : [];
  const numbers = properties.flatMap(([name, property]) => (IsInteger(property) ? [name] : []));
  const booleans = properties.flatMap(([name, property]) => (IsBoolean(property) ? [name] : []));
  return (query: Readonly<Record<string, unknown>>) => {
    const value = { ...query };
    for (const name of numbers) {
      const text = value[name];
      if (typeof text === 'string' && INTEGER_PATTERN.test(text)) value[name] = Number(text);
    }
    for (const name of booleans) {
      const text = value[name];
      if (text === 'true' || text === 'false') value[name] = text === 'true';
    }
    const errors = check(value).concat(findNulBytes(value));
    return errors.length > 0
      ? { error: new AppErrorException(appErrorFromFields('invalid_query', errors, 'the query')) }
      : { value };
  };
}

/** A missing body, which Fastify passes as `null`, counts as an empty object. */
function bodyParser(schema: TSchema) {
  const check = compileSchema(schema);
  return (body: unknown) => {
    const value = body ?? {};
    const errors = check(value);
    return errors.length > 0 ? { error: new AppErrorException(invalidBody(...errors)) } : { value };
  };
}

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'params') return parseParams;
  return httpPart === 'querystring' ? queryParser(schema) : bodyParser(schema);
};

/** A body may repeat `name`, `address` or `host` of the path but must not contradict it. */
export function checkBodyMatchesPath(params: Partial<PathParams>, body: unknown): AppError | undefined {
  if (body === null || typeof body !== 'object') return undefined;
  const errors: FieldError[] = [];
  const compare = (field: string, expected: string | undefined, parse: (text: string) => string | undefined) => {
    const actual: unknown = Reflect.get(body, field);
    if (expected === undefined || actual === undefined) return;
    if (typeof actual !== 'string' || parse(actual) !== expected) {
      errors.push({ path: `/${field}`, message: `must equal ${expected}, the value in the URL` });
    }
  };
  compare('name', params.name, text => text);
  compare('address', params.address, parseAddress);
  compare('host', params.address, parseAddress);
  return errors.length > 0 ? new AppError('path_mismatch', 'the body contradicts the URL', { errors }) : undefined;
}
