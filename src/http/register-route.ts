// The path of a request through its route: validation against the route definition, the handler, the response.

import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import Type, { IsBoolean, IsInteger, IsObject, IsRecord } from 'typebox';
import type { PutResult } from '../app/unit-of-work.ts';
import { expandPath, findPathVariables } from '../contract/path-variables.ts';
import type { BodySize, RouteDefinition } from '../contract/route-definition.ts';
import { getSuccessStatuses, rejectsUnknownParameters } from '../contract/route-definition.ts';
import { parseAddress } from '../domain/addresses/address.ts';
import type { ErrorCode, FieldError } from '../domain/errors.ts';
import { AppError, appErrorFromFields, invalidBody } from '../domain/errors.ts';
import { isRecordName } from '../domain/record-name.ts';
import { NAME_MESSAGE, OPERATION_ID_PATTERN } from '../domain/vocabulary.ts';
import { compileSchema } from '../lib/schema.ts';
import { AppErrorException } from './errors/error-responses.ts';
import type { HandlerResult, PathParams } from './request-context.ts';
import { isTlsRequest } from './requests/credential-headers.ts';
import type { BodyLimit } from './requests/json-body.ts';
import { parseIfMatch, readIdempotencyKey, readLastEventId } from './requests/request-headers.ts';
import { StreamingBody, sendStream } from './responses/event-stream.ts';
import { SerializedJson } from './responses/serialized-json.ts';

const invalidPath = (code: ErrorCode, detail: string) => ({ error: new AppErrorException(new AppError(code, detail)) });

export const INVALID_NAME = `the name in the URL ${NAME_MESSAGE}`;
export const INVALID_ADDRESS = 'the address in the URL must be an IPv4 or IPv6 address';

const OPERATION_ID = new RegExp(`^${OPERATION_ID_PATTERN}$`);

function parseParams(params: Record<string, string>): { value: unknown } | { error: AppErrorException } {
  const { name, address, id } = params;
  if (name !== undefined && !isRecordName(name)) return invalidPath('invalid_name', INVALID_NAME);
  if (id !== undefined && !OPERATION_ID.test(id)) return invalidPath('not_found', 'this operation does not exist');
  if (address === undefined) return { value: params };
  const parsed = parseAddress(address);
  if (parsed === undefined) return invalidPath('invalid_address', INVALID_ADDRESS);
  return { value: parsed === address ? params : { ...params, address: parsed } };
}

/** No stored value contains a NUL byte, and PostgreSQL rejects queries with one. */
const findNulBytes = (query: Readonly<Record<string, unknown>>) =>
  Object.entries(query).flatMap(([name, text]) =>
    typeof text === 'string' && text.includes('\0')
      ? [{ path: `/${name}`, message: 'must not contain a NUL byte' }]
      : [],
  );

/** In one error. */
const MAX_UNKNOWN_PARAMETERS = 10;

/** A misspelled filter must not return the whole list. */
function findUnknownParameters(query: Readonly<Record<string, unknown>>, known: readonly string[]): FieldError[] {
  const message =
    known.length === 0
      ? 'is unknown: this request has no query parameters'
      : `is unknown; the query parameters are ${known.join(', ')}`;
  return Object.keys(query)
    .filter(name => !known.includes(name))
    .slice(0, MAX_UNKNOWN_PARAMETERS)
    .map(name => ({ path: `/${name}`, message }));
}

/** Numbers with more digits exceed the safe integer range. */
const INTEGER_PATTERN = /^-?\d{1,16}$/;

/** Query values arrive as strings. Integers and booleans are converted if the schema expects them. */
function queryParser(schema: TSchema) {
  const check = compileSchema(schema);
  const properties = IsObject(schema) ? Object.entries(schema.properties) : [];
  const numbers = properties.flatMap(([name, property]) => (IsInteger(property) ? [name] : []));
  const booleans = properties.flatMap(([name, property]) => (IsBoolean(property) ? [name] : []));
  const names = properties.map(([name]) => name);
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
    const errors = [...check(value), ...findNulBytes(value), ...findUnknownParameters(value, names)];
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

interface ResponseOptions<Result> {
  readonly status?: 200 | 201;
  readonly headers?: (result: Result) => Readonly<Record<string, string>> | undefined;
}

/** For a result that is already the body. */
export const respondPlain = <Body>(result: Body | AppError): HandlerResult<Body> | AppError =>
  result instanceof AppError ? result : { body: result };

export const respond = <Result, Body>(
  result: Result | AppError,
  view: (result: Result) => Body,
  { status, headers }: ResponseOptions<Result> = {},
): HandlerResult<Body> | AppError =>
  result instanceof AppError ? result : { body: view(result), status, headers: headers?.(result) };

/** Status 201 if the request created the record. */
export const respondPut = <Result, Body>(
  result: PutResult<Result> | AppError,
  view: (record: Result) => Body,
  { headers }: ResponseOptions<Result> = {},
): HandlerResult<Body> | AppError =>
  result instanceof AppError
    ? result
    : { body: view(result.record), status: result.isNew ? 201 : undefined, headers: headers?.(result.record) };

/** A route definition with its handler, without their types. `Handlers` checks that they match. */
export interface RegisteredRoute {
  readonly route: RouteDefinition;
  readonly handle: (context: unknown) => Promise<HandlerResult<unknown> | AppError>;
}

const NO_QUERY = Type.Object({});

function toFastifySchema(route: RouteDefinition) {
  const querystring = route.query ?? (rejectsUnknownParameters(route) ? NO_QUERY : undefined);
  return {
    ...(findPathVariables(route.path).length > 0 && { params: {} }),
    ...(querystring && { querystring }),
    ...(route.body && { body: route.body }),
  };
}

export function registerRoute(
  server: FastifyInstance,
  { route, handle }: RegisteredRoute,
  repeatedPutStatus: 200 | 201,
  limits: Readonly<Record<BodySize, BodyLimit>>,
): void {
  const defaultStatus = getSuccessStatuses(route).includes(201) ? repeatedPutStatus : 200;
  // The keys of a record body are data. A key such as `name` does not refer to the path.
  const hasDynamicKeys = IsRecord(route.body);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as Partial<PathParams>;
    const mismatch = hasDynamicKeys ? undefined : checkBodyMatchesPath(params, request.body);
    if (mismatch) throw new AppErrorException(mismatch);
    const idempotencyKey = route.supportsIdempotencyKey ? readIdempotencyKey(request.headers) : null;
    if (idempotencyKey instanceof AppError) throw new AppErrorException(idempotencyKey);
    const lastEventId = route.supportsLastEventId ? readLastEventId(request.headers) : null;
    if (lastEventId instanceof AppError) throw new AppErrorException(lastEventId);
    const result = await handle({
      params,
      query: request.query,
      body: request.body,
      actor: request.actor,
      ifMatch: parseIfMatch(request.headers['if-match']),
      idempotencyKey,
      lastEventId,
      eventPosition: request.eventPosition,
      isTls: isTlsRequest(request),
      accept: request.headers.accept,
      url: request.url,
    });
    if (result instanceof AppError) throw new AppErrorException(result);
    if (result.headers) reply.headers(result.headers);
    const mediaType = result.mediaType ?? route.mediaType ?? 'application/json; charset=utf-8';
    reply.type(mediaType).code(result.status ?? defaultStatus);
    if (result.body instanceof StreamingBody) return sendStream(request, reply, result.body);
    if (result.body instanceof SerializedJson) return result.body.payload;
    return route.mediaType === undefined ? JSON.stringify(result.body) : result.body;
  };
  for (const path of [route.path, ...(route.aliases ?? [])]) {
    server.route({
      method: route.method,
      url: expandPath(path, name => `:${name}`),
      config: { route },
      schema: toFastifySchema(route),
      handler,
      bodyLimit: limits[route.bodySize ?? 'small'].bytes,
    });
  }
}
