import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { Refused } from '../problems/refused.ts';

const missing = new Refusal('bad_request', 'the header Host is missing');

/** HTTP/1.1 asks for it, and for this answer without it (RFC 9112). */
export const hostProblem = ({ headers, httpVersion }: IncomingMessage): Refused | undefined =>
  headers.host === undefined && httpVersion === '1.1' ? new Refused(missing) : undefined;

export function requireHost(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => done(hostProblem(raw)));
}
