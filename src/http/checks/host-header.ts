import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { Refused } from '../problems/refused.ts';

const missing = new AppError('bad_request', 'the Host header is missing');
const repeated = new AppError('bad_request', 'the Host header is repeated');

/** Names and values stand there in turn. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count > 1;
}

/** HTTP/1.1 asks for one, and for this answer without it or with two, of which a proxy may have gone by the other (RFC 9112, 3.2). */
export function hostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): Refused | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? new Refused(missing) : undefined;
  return isRepeated(rawHeaders) ? new Refused(repeated) : undefined;
}

export function requireHost(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => done(hostProblem(raw)));
}
