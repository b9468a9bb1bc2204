import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { LogEntry } from '../../domain/events/event-log.ts';
import { toEvent } from '../../domain/events/event-log.ts';
import type { EventReset, EventSink } from '../../domain/events/event-subscription.ts';
import type { OutputNotification } from '../../domain/events/signal.ts';
import { AppErrorException } from '../errors/error-responses.ts';

const encodedEvents = new WeakMap<LogEntry, string>();

/** An event as JSON, written once for all who are told of it. */
export function toEventJson(entry: LogEntry): string {
  const cached = encodedEvents.get(entry);
  if (cached !== undefined) return cached;
  const json = JSON.stringify(toEvent(entry));
  encodedEvents.set(entry, json);
  return json;
}

export const toNotificationJson = ({ operation, hosts }: OutputNotification): string =>
  JSON.stringify({ type: 'output', operation, hosts });

/** How long a browser waits before it connects again. The comment makes proxies send what there is. */
const STREAM_PREAMBLE = 'retry: 2000\n: stream open\n\n';

const encodedBatches = new WeakMap<readonly LogEntry[], Buffer>();

/** The messages of a list, written once for all who are given that list. They have no type, so that `onmessage` gets all. */
function encodeEvents(entries: readonly LogEntry[]): Buffer {
  const cached = encodedBatches.get(entries);
  if (cached) return cached;
  const messages = Buffer.from(
    entries.map(entry => `id: ${entry.id}\ndata: ${toEventJson(entry)}\n\n`).join(''),
  );
  encodedBatches.set(entries, messages);
  return messages;
}

const encodedNotifications = new WeakMap<readonly OutputNotification[], Buffer>();

/** The same of hints. They have no number, so whoever comes back goes on after the last event. */
function encodeNotifications(notifications: readonly OutputNotification[]): Buffer {
  const cached = encodedNotifications.get(notifications);
  if (cached) return cached;
  const messages = Buffer.from(
    notifications
      .map(notification => `event: output\ndata: ${toNotificationJson(notification)}\n\n`)
      .join(''),
  );
  encodedNotifications.set(notifications, messages);
  return messages;
}

/** Events as Server-Sent Events, for one client. */
export class SseStream implements EventSink {
  readonly #response: ServerResponse;

  /** The head is written already. */
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

  /** A message without data is no event, but moves on the number that a browser comes back with. */
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

  /** Who does not read is not waited for. */
  end(): void {
    if (this.bufferedBytes > 0) this.abort();
    else this.#response.end();
  }

  abort(): void {
    this.#response.destroy();
  }
}

/** A body that goes on for as long as somebody reads it. */
export class StreamingBody {
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
export function sendStream(request: FastifyRequest, reply: FastifyReply, body: StreamingBody): unknown {
  if (hasBody(request))
    throw new AppErrorException(new AppError('bad_request', 'a stream request must not have a body'));
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
