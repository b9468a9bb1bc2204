import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { Refused } from '../problems/refused.ts';

const missing = new Refusal('bad_request', 'the header Host is missing');

/** HTTP/1.1 asks for it, and for this answer without it (RFC 9112). */
export function requireHost(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers, httpVersion } }, _reply, done) => {
    const isMissing = headers.host === undefined && httpVersion === '1.1';
    done(isMissing ? new Refused(missing) : undefined);
  });
}
