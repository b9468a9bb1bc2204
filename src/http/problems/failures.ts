// Converts exceptions to Refusals, and Refusals to problem responses.

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AppError,
  SecretDamagedError,
  StoreDamagedError,
  StoreUnavailableError,
} from '../../domain/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { StaticHeaders } from '../answers/static-headers.ts';
import { isFromDashboard } from '../checks/session-secret.ts';
import { isNavigation } from '../requests/navigation.ts';
import { PROBLEM_TYPE, problemOf, statusOf } from './problem.ts';
import { Refused } from './refused.ts';

const CHALLENGE = 'Basic realm="hostler", charset="UTF-8"';
const STORE_RETRY_S = 5;
/** Only a person can repair it. */
const DAMAGE_RETRY_S = 300;

const statusCodeOf = (error: unknown): number => {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : 500;
};

/** The Refusal for an exception. Unexpected exceptions become `internal_error`, without any details. */
export function refusalOf(error: unknown): AppError {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof StoreDamagedError)
    return new AppError(
      'store_corrupt',
      'a part of the store cannot be read; stop the server, check the disk and restore a backup',
      { retryAfterS: DAMAGE_RETRY_S },
    );
  if (error instanceof StoreUnavailableError) {
    return new AppError('store_unavailable', 'the store is temporarily unavailable; retry', {
      retryAfterS: STORE_RETRY_S,
    });
  }
  if (error instanceof SecretDamagedError) return new AppError('secret_damaged', error.message);
  const status = statusCodeOf(error);
  if (status === 413) {
    return new AppError(
      'body_too_large',
      'the body exceeds the limit of this path or limit_body_bytes; send less data in one request',
    );
  }
  if (status === 415)
    return new AppError(
      'unsupported_media_type',
      'the Content-Type header is invalid; send application/json',
    );
  if (status === 408)
    return new AppError('request_timeout', 'the request did not arrive within the time limit');
  if (status >= 400 && status < 500) return new AppError('bad_request', 'the request is malformed');
  return new AppError(
    'internal_error',
    'internal error; the server log has the details under this request ID',
  );
}

/** A browser that gets a challenge prompts for a password, keeps it until it is closed, and sends it with all requests of the dashboard. */
const isChallenged = (headers: IncomingHttpHeaders): boolean =>
  !isFromDashboard(headers) && !isNavigation(headers);

export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: AppError,
  unauthorizedStatus: 401 | 403,
): FastifyReply {
  const status = refusal.code === 'unauthorized' ? unauthorizedStatus : statusOf(refusal.code);
  if (status === 401 && isChallenged(request.headers)) reply.header('www-authenticate', CHALLENGE);
  if (refusal.retryAfterS !== undefined) reply.header('retry-after', refusal.retryAfterS);
  return reply
    .code(status)
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(problemOf(refusal, status, request.id));
}

const CLIENT_ERRORS: Readonly<Record<string, AppError>> = {
  HPE_HEADER_OVERFLOW: new AppError('headers_too_large', 'the headers are larger than 16 KiB'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(
    'request_timeout',
    'the request did not arrive within the time limit',
  ),
};
const unreadable = new AppError('bad_request', 'the request is not valid HTTP');

/** The TLS handshake or the TLS data after it is invalid, so a response is impossible. */
const isTlsFailure = (code: string) => /^ERR_(SSL|TLS)_/.test(code);

/** No request was sent, as on connections that browsers open in advance. The browser would take a response for that of its next request. */
const hasAskedNothing = (code: string, { bytesRead }: Socket) =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;

interface AnswerContext {
  readonly log: Log;
  readonly headers: StaticHeaders;
  readonly requestId: string;
  readonly told: (status: number) => void;
}

/** Writes the response for an unparsable request directly to the socket. */
export function answerClientError(
  { code = '' }: Error & { code?: string },
  socket: Socket,
  { log, headers, requestId, told }: AnswerContext,
) {
  const isUseless = code === 'ECONNRESET' || isTlsFailure(code) || hasAskedNothing(code, socket);
  if (isUseless || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = CLIENT_ERRORS[code] ?? unreadable;
  const problem = problemOf(refusal, statusOf(refusal.code), requestId);
  log.info({ requestId, status: problem.status, code: problem.code }, 'malformed request');
  told(problem.status);
  const body = JSON.stringify(problem);
  const lines = Object.entries({
    ...headers,
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
}
