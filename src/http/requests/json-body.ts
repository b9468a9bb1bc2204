import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodySize } from '../../contract/route-definition.ts';
import { MAX_BULK_HOSTS } from '../../domain/defaults.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { AppError } from '../../domain/errors.ts';
import { AppErrorException } from '../errors/error-responses.ts';

/** `values` counts all JSON values: numbers, strings, lists, objects. */
export interface BodyLimit {
  readonly bytes: number;
  readonly values: number;
}

export interface BodySettings {
  readonly bodyBytes: number;
  readonly members: number;
}

const KIB = 1024;
/** Values besides the members of a list. */
const BASE_VALUES = 1000;
/** A host in a bulk request has eight fields and a list of host keys. */
const VALUES_PER_HOST = 20;

/** No limit exceeds `limit_body_bytes`. */
export function toBodyLimits({ bodyBytes, members }: BodySettings): Readonly<Record<BodySize, BodyLimit>> {
  const capBytes = (bytes: number) => Math.min(bytes, bodyBytes);
  return {
    small: { bytes: capBytes(64 * KIB), values: BASE_VALUES },
    document: { bytes: capBytes(512 * KIB), values: BASE_VALUES },
    // A member replacement contains the old and the new list.
    addresses: { bytes: bodyBytes, values: 2 * members + BASE_VALUES },
    hosts: { bytes: bodyBytes, values: MAX_BULK_HOSTS * VALUES_PER_HOST + BASE_VALUES },
  };
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = Buffer.from('"\\,[{]}');

/** Stops at the first exceeded limit. In UTF-8, no byte of a multi-byte character equals an ASCII character. */
export function measureJson(json: Buffer, limit: { readonly depth: number; readonly values: number }): typeof limit {
  let [depth, maxDepth, values, isInString] = [0, 0, 1, false];
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (isInString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      maxDepth = Math.max(maxDepth, depth);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (maxDepth > limit.depth || values > limit.values) break;
  }
  return { depth: maxDepth, values };
}

/** Far above valid requests, and low enough for recursive code. */
const MAX_DEPTH = 64;

const createException = (code: ErrorCode, detail: string) => new AppErrorException(new AppError(code, detail));

const isJson = (contentType: string | undefined) =>
  contentType === undefined || /^\s*application\/json\s*(;.*)?$/i.test(contentType);

const isIdentity = (encoding: string | undefined) => /^(identity)?$/i.test(encoding?.trim() ?? '');

/** Encoded bodies are rejected: a proxy that decodes them would see different content (request smuggling). */
function checkBody({ headers, raw }: FastifyRequest, bytes: Buffer, maxValues: number): AppErrorException | undefined {
  const transferEncoding = headers['transfer-encoding'];
  // HTTP/1.0 has no transfer encodings (RFC 9112, 6.1).
  if (transferEncoding !== undefined && (!/^chunked$/i.test(transferEncoding.trim()) || raw.httpVersion === '1.0'))
    return createException('bad_request', 'Transfer-Encoding must be chunked, and requires HTTP/1.1');
  if (!isIdentity(headers['content-encoding']))
    return createException('unsupported_media_type', 'Content-Encoding is not supported; send the body uncompressed');
  if (!isJson(headers['content-type']))
    return createException('unsupported_media_type', 'the body must be JSON; send Content-Type: application/json');
  const { depth, values } = measureJson(bytes, { depth: MAX_DEPTH, values: maxValues });
  if (depth > MAX_DEPTH)
    return createException('invalid_body', `the body is nested more than ${MAX_DEPTH} levels deep`);
  if (values > maxValues)
    return createException('body_too_large', `the body has more than ${maxValues} values; send fewer in one request`);
  return isUtf8(bytes) ? undefined : createException('invalid_json', 'the body is not UTF-8');
}

/** Accepts only JSON. A missing Content-Type counts as JSON, an empty body as no body. */
export function parseJsonBodies(server: FastifyInstance, limits: Readonly<Record<BodySize, BodyLimit>>): void {
  // Keys such as `__proto__` are removed, like unknown fields.
  const parseJson = server.getDefaultJsonParser('remove', 'remove');
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (headers['content-type']?.trim() === '') delete headers['content-type'];
    done();
  });
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    const bodyError = checkBody(request, bytes, limits[request.routeOptions.config.route?.bodySize ?? 'small'].values);
    if (bodyError || bytes.length === 0) {
      done(bodyError ?? null, undefined);
      return;
    }
    parseJson(request, bytes.toString('utf8'), (error, value) => {
      if (error) done(createException('invalid_json', 'the body is not valid JSON'));
      // Fastify treats `null` like a missing body.
      else if (value === null) done(createException('invalid_body', 'the body must be an object'));
      else done(null, value);
    });
  });
}
