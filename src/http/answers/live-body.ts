import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { Refused } from '../problems/refused.ts';

/** A body that goes on for as long as somebody reads it. */
export class LiveBody {
  readonly start: (response: ServerResponse) => void;

  /** `start` is called when the head of the answer is written; the response is its own from then on. */
  constructor(start: (response: ServerResponse) => void) {
    this.start = start;
  }
}

/** Whoever has not sent all of a request could not be told so any more. */
const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** Sends the head and lets the body begin. No other request follows on the connection, so the body needs no frames of its own. */
export function sendLive(request: FastifyRequest, reply: FastifyReply, body: LiveBody): unknown {
  if (hasBody(request))
    throw new Refused(new AppError('bad_request', 'a stream request must not have a body'));
  reply.header('connection', 'close');
  // For HEAD: a body whose length nobody knows.
  if (request.method === 'HEAD') return Readable.from([]);
  reply.hijack();
  const { raw } = reply;
  // The client may be gone at any time; `close` follows.
  raw.on('error', () => {});
  raw.removeHeader('transfer-encoding');
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(reply.statusCode);
  body.start(raw);
  return reply;
}
