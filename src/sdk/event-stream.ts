import type { Static } from 'typebox';
import { routes } from '../contract/index.ts';
import type { QueryOf } from '../contract/route-definition.ts';
import type { Event, EventReset, OutputNotification } from '../contract/routes/events.ts';
import type { Credentials } from './client.ts';
import { ApiError, buildUrl, isRetryable, toAuthHeaders, toProblem } from './client.ts';
import { getEventPositionHeader } from './response-headers.ts';

/** One message of a stream of Server-Sent Events. */
export interface SseMessage {
  /** Empty: it has no type of its own. */
  readonly type: string;
  /** The newest number that the stream has told; empty: none. */
  readonly lastEventId: string;
  readonly data: string;
}

/** Puts messages together from what arrives, however it is cut (HTML standard, 9.2.6). */
export class SseParser {
  #buffer = '';
  #type = '';
  #data: string[] = [];
  #lastEventId = '';

  /** The messages that this text completes. One without data only tells a number. */
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

// Events as they happen, from whichever server answers. A stream that ends, breaks or falls silent is taken up again where it was, on
// the next server. What must hold: each event once, in order; what cannot be told any more is a `reset`, never a gap. Hints of output
// have no place in that order: what is missed of them is not made up for. There is nothing of Node in it, since browsers use it.

/** Hints come only with `output` in the query. */
export type StreamEvent =
  | Static<typeof Event>
  | Static<typeof EventReset>
  | Static<typeof OutputNotification>;

/** `live`: a server has answered, and tells what happens; `lost`: it does not any more, or did not. */
export type ConnectionState = 'connecting' | 'live' | 'lost';

export type StreamOptions = Credentials & {
  /** Servers on one store; the next is asked when one does not answer. */
  readonly baseUrls: readonly [string, ...string[]];
  readonly query?: QueryOf<typeof routes.streamEvents>;
  readonly reconnectDelayMs?: number;
  /** A stream that says nothing for so long is given up; servers give a sign of life every 15 s unless told otherwise. */
  readonly idleTimeoutMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** With `live`, the ID of the event after which the stream continues. */
  readonly onState?: (state: ConnectionState, position?: number) => void;
};

const RECONNECT_DELAY_MS = 2000;
const IDLE_TIMEOUT_MS = 45_000;

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    if (signal?.aborted) finish();
    else signal?.addEventListener('abort', finish);
  });
}

class EventStream {
  readonly #options: StreamOptions;
  /** Where it has come to. */
  #lastEventId: string | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  async *events(): AsyncGenerator<StreamEvent, undefined, undefined> {
    const { baseUrls, signal, reconnectDelayMs = RECONNECT_DELAY_MS, onState = () => {} } = this.#options;
    for (let attempts = 0; !signal?.aborted; attempts += 1) {
      onState('connecting');
      const error = yield* this.#streamOrError(baseUrls[attempts % baseUrls.length] ?? baseUrls[0]);
      if (signal?.aborted) return;
      onState('lost');
      if (error) throw error;
      // Another server can be asked at once.
      if (attempts % baseUrls.length === baseUrls.length - 1) await delay(reconnectDelayMs, signal);
    }
  }

  /** Answers what does not pass by itself. */
  async *#streamOrError(baseUrl: string): AsyncGenerator<StreamEvent, ApiError | undefined, undefined> {
    try {
      yield* this.#stream(baseUrl);
    } catch (error) {
      if (error instanceof ApiError && !isRetryable(error)) return error;
    }
    return undefined;
  }

  async *#stream(baseUrl: string): AsyncGenerator<StreamEvent, undefined, undefined> {
    const { signal, idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
    const controller = new AbortController();
    const abort = () => controller.abort();
    let idleTimer = setTimeout(abort, idleTimeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      const parser = new SseParser();
      const decoder = new TextDecoder();
      const body = await this.#connect(baseUrl, controller.signal);
      // Not every browser can go through a stream by `for await`.
      for (let read = await body.read(); !read.done; read = await body.read()) {
        clearTimeout(idleTimer);
        idleTimer = setTimeout(abort, idleTimeoutMs);
        yield* this.#parseEvents(parser.parse(decoder.decode(read.value, { stream: true })));
      }
    } finally {
      clearTimeout(idleTimer);
      signal?.removeEventListener('abort', abort);
      abort();
    }
  }

  *#parseEvents(messages: readonly SseMessage[]): Generator<StreamEvent, undefined, undefined> {
    for (const { type, data, lastEventId } of messages) {
      if (lastEventId !== '') this.#lastEventId = lastEventId;
      const isRequested = type !== 'output' || this.#options.query?.output === true;
      if (data !== '' && isRequested) yield JSON.parse(data);
    }
  }

  async #connect(baseUrl: string, signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { query = {}, onState } = this.#options;
    const response = await fetch(buildUrl(baseUrl, routes.streamEvents, { query }), {
      headers: {
        ...toAuthHeaders(this.#options),
        ...(this.#lastEventId !== undefined && { 'last-event-id': this.#lastEventId }),
      },
      signal,
    });
    if (!response.ok) throw new ApiError(response.status, toProblem(response, await response.text()));
    // It may break before the first event: from here on is what was asked for.
    this.#lastEventId ??= query.after === undefined ? getEventPositionHeader(response.headers) : undefined;
    if (response.body === null) throw new Error('the response has no body');
    onState?.('live', Number(this.#lastEventId ?? query.after));
    return response.body.getReader();
  }
}

/** Follows events until it is told to stop, or is refused. */
export const streamEvents = (options: StreamOptions): AsyncGenerator<StreamEvent, undefined, undefined> =>
  new EventStream(options).events();
