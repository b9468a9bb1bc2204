// Streams events from any server. After an interruption or an idle timeout it resumes at the last event, on
// the next server. Invariants: each event is delivered once and in order; missing events lead to a `reset`,
// never to a gap. Output notifications are not ordered and not repeated. It also runs in browsers, so it uses
// no Node API.

import type { Static } from 'typebox';
import type { Event } from '../contract/event-payloads.ts';
import { routes } from '../contract/index.ts';
import type { QueryOf } from '../contract/route-definition.ts';
import type { EventReset, OutputNotification } from '../contract/routes/events.ts';
import type { Credentials, Sendable } from './client.ts';
import { buildUrl, toAuthHeaders } from './client.ts';
import { delay } from './delay.ts';
import { ApiError, isRetryable, toApiError } from './errors.ts';
import { getEventPositionHeader } from './response-headers.ts';

export interface SseMessage {
  readonly type: string;
  /** The last ID of the stream; empty if there is none. */
  readonly lastEventId: string;
  readonly data: string;
}

/** Parses messages from chunks of any size (HTML standard, 9.2.6). */
export class SseParser {
  #buffer = '';
  #type = '';
  #data: string[] = [];
  #lastEventId = '';

  /** Returns the messages that the chunk completes. A message without data only updates the last event ID. */
  parse(text: string): readonly SseMessage[] {
    const lines = (this.#buffer + text).split(/\r\n|\n|\r(?=.)/s);
    this.#buffer = lines.pop() ?? '';
    return lines.flatMap(line => this.#parseLine(line) ?? []);
  }

  #parseLine(line: string): SseMessage | undefined {
    if (line === '') return this.#takeMessage();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#type = value;
    if (field === 'id') this.#lastEventId = value;
    return undefined;
  }

  #takeMessage(): SseMessage {
    const message = { type: this.#type, lastEventId: this.#lastEventId, data: this.#data.join('\n') };
    this.#type = '';
    this.#data = [];
    return message;
  }
}

/** Output notifications are sent only with `output` in the query. */
export type StreamEvent = Event | Static<typeof EventReset> | Static<typeof OutputNotification>;

/** `live`: the stream is connected; `lost`: the connection failed or was interrupted. */
type ConnectionState = 'connecting' | 'live' | 'lost';

export type StreamOptions = Credentials & {
  /** Servers of the same store. If one does not respond, the client uses the next. */
  readonly baseUrls: readonly [string, ...string[]];
  readonly query?: Sendable<QueryOf<typeof routes.streamEvents>>;
  readonly reconnectDelayMs?: number;
  /** Reconnects after this time without data. Servers send a heartbeat every 15 seconds by default. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** With `live`, the ID of the event after which the stream continues. */
  readonly onState?: (state: ConnectionState, position?: number) => void;
};

const RECONNECT_DELAY_MS = 2000;
const IDLE_TIMEOUT_MS = 45_000;

export async function* streamEvents(options: StreamOptions): AsyncGenerator<StreamEvent, undefined, undefined> {
  const { baseUrls, query = {}, signal, onState = () => {} } = options;
  const { reconnectDelayMs = RECONNECT_DELAY_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  /** The ID of the last event, at which a new connection resumes. */
  let resumeId: string | undefined;

  async function connect(baseUrl: string, connectionSignal: AbortSignal) {
    const response = await fetch(buildUrl(baseUrl, routes.streamEvents, { query }), {
      headers: { ...toAuthHeaders(options), ...(resumeId !== undefined && { 'last-event-id': resumeId }) },
      signal: connectionSignal,
    });
    if (!response.ok) throw toApiError(response, await response.text());
    // If the stream breaks before the first event, it resumes at this position.
    resumeId ??= query.after === undefined ? getEventPositionHeader(response.headers) : undefined;
    if (response.body === null) throw new Error('the response has no body');
    onState('live', Number(resumeId ?? query.after));
    return response.body.getReader();
  }

  function* parseEvents(messages: readonly SseMessage[]): Generator<StreamEvent, undefined, undefined> {
    for (const { type, data, lastEventId } of messages) {
      if (lastEventId !== '') resumeId = lastEventId;
      const isRequested = type !== 'output' || query.output === true;
      if (data !== '' && isRequested) yield JSON.parse(data);
    }
  }

  async function* streamFrom(baseUrl: string): AsyncGenerator<StreamEvent, undefined, undefined> {
    const controller = new AbortController();
    const abort = () => controller.abort();
    let idleTimer = setTimeout(abort, idleTimeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      const parser = new SseParser();
      const decoder = new TextDecoder();
      const body = await connect(baseUrl, controller.signal);
      // Some browsers do not support `for await` on streams.
      for (let read = await body.read(); !read.done; read = await body.read()) {
        clearTimeout(idleTimer);
        idleTimer = setTimeout(abort, idleTimeoutMs);
        yield* parseEvents(parser.parse(decoder.decode(read.value, { stream: true })));
      }
    } finally {
      clearTimeout(idleTimer);
      signal?.removeEventListener('abort', abort);
      abort();
    }
  }

  for (let attempts = 0; !signal?.aborted; attempts += 1) {
    onState('connecting');
    let fatalError: ApiError | undefined;
    try {
      yield* streamFrom(baseUrls[attempts % baseUrls.length] ?? baseUrls[0]);
    } catch (error) {
      // Another server can respond, even if this one has an internal error.
      if (error instanceof ApiError && error.status < 500 && !isRetryable(error)) fatalError = error;
    }
    if (signal?.aborted) return;
    onState('lost');
    if (fatalError) throw fatalError;
    // Waits only after all servers have been tried.
    if (attempts % baseUrls.length === baseUrls.length - 1) await delay(reconnectDelayMs, signal);
  }
}
