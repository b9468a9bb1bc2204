import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app/index.ts';
import { expandPath, findPathVariables } from '../../contract/path-variables.ts';
import type { RouteDefinition } from '../../contract/route-definition.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { AppError, SecretDamagedError, StoreCorruptError, StoreUnavailableError } from '../../domain/errors.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { Log } from '../../lib/log.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { isDashboardRequest } from '../requests/credential-headers.ts';
import { isNavigation } from '../requests/request-headers.ts';
import type { SecurityHeaders } from '../responses/response-headers.ts';
import { PROBLEM_MEDIA_TYPE, toHttpStatus, toProblem } from './problem-catalog.ts';

/** Carries an AppError where Fastify supports only exceptions: in parsers, validators and hooks. */
export class AppErrorException extends Error {
  readonly appError: AppError;

  constructor(appError: AppError) {
    super(appError.detail);
    this.appError = appError;
  }
}

const AUTH_CHALLENGE = 'Basic realm="hostler", charset="UTF-8"';
const STORE_RETRY_S = 5;
/** Retries do not help until an administrator repairs the store. */
const CORRUPT_STORE_RETRY_S = 300;

const readStatusCode = (error: unknown): number => {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : 500;
};

/** Unexpected exceptions become `internal_error` without details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppErrorException) return error.appError;
  if (error instanceof StoreCorruptError)
    return new AppError(
      'store_corrupt',
      'a part of the store cannot be read; stop the server, check the disk and restore a backup',
      { retryAfterS: CORRUPT_STORE_RETRY_S },
    );
  if (error instanceof StoreUnavailableError) {
    return new AppError('store_unavailable', 'the store is temporarily unavailable; retry', {
      retryAfterS: STORE_RETRY_S,
    });
  }
  if (error instanceof SecretDamagedError) return new AppError('secret_damaged', error.message);
  const status = readStatusCode(error);
  if (status === 413) {
    return new AppError(
      'body_too_large',
      'the body exceeds the limit of this path or limit_body_bytes; send less data in one request',
    );
  }
  if (status === 415)
    return new AppError('unsupported_media_type', 'the Content-Type header is invalid; send application/json');
  if (status === 408) return new AppError('request_timeout', 'the request did not arrive within the time limit');
  if (status >= 400 && status < 500) return new AppError('bad_request', 'the request is malformed');
  return new AppError('internal_error', 'internal error; the server log has the details under this request ID');
}

/** After a challenge, a browser asks for a password, keeps it, and sends it with every dashboard request. */
const needsChallenge = (headers: IncomingHttpHeaders): boolean =>
  !isDashboardRequest(headers) && !isNavigation(headers);

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
  unauthorizedStatus: 401 | 403,
): FastifyReply {
  const status = error.code === 'unauthorized' ? unauthorizedStatus : toHttpStatus(error.code);
  if (status === 401 && needsChallenge(request.headers)) reply.header('www-authenticate', AUTH_CHALLENGE);
  if (error.retryAfterS !== undefined) reply.header('retry-after', error.retryAfterS);
  return reply
    .code(status)
    .type(PROBLEM_MEDIA_TYPE)
    .serializer(JSON.stringify)
    .send(toProblem(error, status, request.id));
}

const CLIENT_ERRORS: Readonly<Record<string, AppError>> = {
  HPE_HEADER_OVERFLOW: new AppError('headers_too_large', 'the headers are larger than 16 KiB'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('request_timeout', 'the request did not arrive within the time limit'),
};
const malformedRequest = new AppError('bad_request', 'the request is not valid HTTP');

/** The TLS handshake or TLS record is invalid, so no response can be sent. */
const isTlsFailure = (code: string) => /^ERR_(SSL|TLS)_/.test(code);

/** Browsers open connections in advance. A response there would be read as the response to their next request. */
const hasSentNothing = (code: string, { bytesRead }: Socket) => code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;

interface ClientErrorContext {
  readonly log: Log;
  readonly headers: SecurityHeaders;
  readonly requestId: string;
  readonly onResponse: (status: number) => void;
}

/** Writes the response to an unparsable request directly to the socket. */
export function sendClientError(
  { code = '' }: Error & { code?: string },
  socket: Socket,
  { log, headers, requestId, onResponse }: ClientErrorContext,
) {
  const cannotRespond = code === 'ECONNRESET' || isTlsFailure(code) || hasSentNothing(code, socket);
  if (cannotRespond || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = CLIENT_ERRORS[code] ?? malformedRequest;
  const problem = toProblem(error, toHttpStatus(error.code), requestId);
  log.info({ requestId, status: problem.status, code: problem.code }, 'malformed request');
  onResponse(problem.status);
  const body = JSON.stringify(problem);
  const lines = Object.entries({
    ...headers,
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
}

const MAX_NAME_LENGTH = 128;

/** Rejected changes, rejected reads that need more than `viewer`, and missing roles; but not 503. */
export const isAudited = ({ method, roles }: Pick<RouteDefinition, 'method' | 'roles'>, code: ErrorCode): boolean =>
  toHttpStatus(code) !== 503 && (method !== 'GET' || code === 'forbidden' || !roles.includes('viewer'));

/** The records that the path names, sanitized but not validated. */
function describeTarget({ path }: Pick<RouteDefinition, 'path'>, params: unknown) {
  const values = new Map<string, unknown>(params !== null && typeof params === 'object' ? Object.entries(params) : []);
  const sanitizedParam = (name: string) => sanitizeLine(String(values.get(name) ?? ''), MAX_NAME_LENGTH);
  const [first] = findPathVariables(path);
  const name = sanitizedParam('name');
  return {
    path: expandPath(path, sanitizedParam),
    subject: first === undefined ? path : sanitizedParam(first),
    cluster: path.startsWith('/api/v0/cluster/{name}') && isRecordName(name) ? name : null,
    host: parseAddress(sanitizedParam('address')) ?? null,
    operation: path.startsWith('/api/v0/operation/{id}') ? sanitizedParam('id') : null,
  };
}

/** Records a rejected request of an authenticated client. Requests without a route cannot change anything. */
export function auditRejection(app: Pick<App, 'recordRejection'>, request: FastifyRequest, code: ErrorCode) {
  const { actor, method, params } = request;
  const { route } = request.routeOptions.config;
  if (actor === undefined || route === undefined || !isAudited(route, code)) return;
  app.recordRejection(actor, { ...describeTarget(route, params), method, status: toHttpStatus(code), code });
}
