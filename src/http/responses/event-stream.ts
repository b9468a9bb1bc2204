import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { LogEntry } from '../../domain/events/event-log.ts';
import { toEvent } from '../../domain/events/event-log.ts';
import type { EventReset, EventSink } from '../../domain/events/event-subscription.ts';
import type { OutputNotification } from '../../domain/events/signal.ts';
import { AppErrorException } from '../errors/error-responses.ts';

/** Encodes each object once for all subscribers. */
function encodeOnce<Source extends object, Encoded extends string | Buffer>(encode: (source: Source) => Encoded) {
  const cache = new WeakMap<Source, Encoded>();
  return (source: Source): Encoded => {
    const cached = cache.get(source);
    if (cached !== undefined) return cached;
    const encoded = encode(source);
    cache.set(source, encoded);
    return encoded;
  };
}

/** `retry`: reconnect delay of browsers, in ms. The comment line makes proxies forward the response. */
const STREAM_PREAMBLE = 'retry: 2000\n: stream open\n\n';

/** Without an event type, `onmessage` of browsers receives all messages. */
const encodeEvent = encodeOnce((entry: LogEntry) => `id: ${entry.id}\ndata: ${JSON.stringify(toEvent(entry))}\n\n`);
const encodeEvents = encodeOnce((entries: readonly LogEntry[]) => Buffer.from(entries.map(encodeEvent).join('')));

/** Notifications have no ID, so a client that reconnects resumes after its last event. */
const encodeNotification = ({ operation, hosts }: OutputNotification) =>
  `event: output\ndata: ${JSON.stringify({ type: 'output', operation, hosts })}\n\n`;
const encodeNotifications = encodeOnce((notifications: readonly OutputNotification[]) =>
  Buffer.from(notifications.map(encodeNotification).join('')),
);

export class SseStream implements EventSink {
  readonly #response: ServerResponse;

  /** The response headers must have been written. */
  constructor(response: ServerResponse) {
    this.#response = response;
    response.write(STREAM_PREAMBLE);
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  sendEvents(entries: readonly LogEntry[]): void {
    this.#response.write(encodeEvents(entries));
  }

  sendOutputNotifications(notifications: readonly OutputNotification[]): void {
    this.#response.write(encodeNotifications(notifications));
  }

  reset({ after, position }: EventReset): void {
    const data = JSON.stringify({ type: 'reset', after, position });
    this.#response.write(`event: reset\nid: ${position}\ndata: ${data}\n\n`);
  }

  /** A message with only an ID is not an event, but it updates the `Last-Event-ID` of browsers. */
  sendHeartbeat(position: number | undefined): void {
    this.#response.write(position === undefined ? ':\n\n' : `:\nid: ${position}\n\n`);
  }

  whenWritable(): Promise<void> {
    const response = this.#response;
    if (!response.writableNeedDrain) return Promise.resolve();
    return new Promise(resolve => {
      const resume = () => {
        response.off('drain', resume).off('close', resume);
        resolve();
      };
      response.on('drain', resume).on('close', resume);
    });
  }

  onClosed(callback: () => void): void {
    if (this.#response.closed) callback();
    else this.#response.once('close', callback);
  }

  /** Does not wait for a client that does not read. */
  end(): void {
    if (this.bufferedBytes > 0) this.abort();
    else this.#response.end();
  }

  abort(): void {
    this.#response.destroy();
  }
}

/** A response body without a fixed length, for example an event stream. */
export class StreamingBody {
  readonly start: (response: ServerResponse) => void;

  /** The server calls `start` after it has written the headers. `start` then owns the response. */
  constructor(start: (response: ServerResponse) => void) {
    this.start = start;
  }
}

/** An incomplete request cannot get an error response once the stream has started. */
const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** No other request follows on the connection, so the body needs no chunked encoding. */
export function sendStream(request: FastifyRequest, reply: FastifyReply, body: StreamingBody): unknown {
  if (hasBody(request))
    throw new AppErrorException(new AppError('bad_request', 'a stream request must not have a body'));
  reply.header('connection', 'close');
  // HEAD gets the headers of a body of unknown length.
  if (request.method === 'HEAD') return Readable.from([]);
  reply.hijack();
  const { raw } = reply;
  // The client can disconnect at any time; `close` follows.
  raw.on('error', () => {});
  raw.removeHeader('transfer-encoding');
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(reply.statusCode);
  body.start(raw);
  return reply;
}
