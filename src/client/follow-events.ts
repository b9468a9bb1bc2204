// Events as they happen, from whichever server answers. A stream that ends, breaks or falls silent is taken up again where it was, on
// the next server. What must hold: each event once, in order; what cannot be told any more is a `reset`, never a gap. Hints of output
// have no place in that order: what is missed of them is not made up for. There is nothing of Node in it, since browsers use it.

import type { Static } from 'typebox';
import { routes } from '../contract/index.ts';
import type { QueryOf } from '../contract/route.ts';
import type { Event, EventHint, EventReset } from '../contract/routes/events.ts';
import type { Caller } from './client.ts';
import { headersOf, problemOf, RequestRefused, urlOf } from './client.ts';
import type { Message } from './event-messages.ts';
import { MessageParser } from './event-messages.ts';
import { isPassing } from './is-passing.ts';
import { positionTold } from './position-of.ts';

/** Hints come only with `output` in the query. */
export type FollowedEvent = Static<typeof Event> | Static<typeof EventReset> | Static<typeof EventHint>;

/** `live`: a server has answered, and tells what happens; `lost`: it does not any more, or did not. */
export type FollowState = 'connecting' | 'live' | 'lost';

export type FollowOptions = Caller & {
  /** Servers on one store; the next is asked when one does not answer. */
  readonly baseUrls: readonly [string, ...string[]];
  readonly query?: QueryOf<typeof routes.streamEvents>;
  readonly pauseMs?: number;
  /** A stream that says nothing for so long is given up; servers give a sign of life every 15 s unless told otherwise. */
  readonly silenceMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** With `live`, the ID of the event after which the stream continues. */
  readonly onState?: (state: FollowState, position?: number) => void;
};

const PAUSE_MS = 2000;
const SILENCE_MS = 45_000;

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    if (signal?.aborted) wake();
    else signal?.addEventListener('abort', wake);
  });
}

class Following {
  readonly #options: FollowOptions;
  /** Where it has come to. */
  #lastId: string | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  async *events(): AsyncGenerator<FollowedEvent, undefined, undefined> {
    const { baseUrls, signal, pauseMs = PAUSE_MS, onState = () => {} } = this.#options;
    for (let tries = 0; !signal?.aborted; tries += 1) {
      onState('connecting');
      const refusal = yield* this.#streamOrRefusal(baseUrls[tries % baseUrls.length] ?? baseUrls[0]);
      if (signal?.aborted) return;
      onState('lost');
      if (refusal) throw refusal;
      // Another server can be asked at once.
      if (tries % baseUrls.length === baseUrls.length - 1) await pause(pauseMs, signal);
    }
  }

  /** Answers what does not pass by itself. */
  async *#streamOrRefusal(
    baseUrl: string,
  ): AsyncGenerator<FollowedEvent, RequestRefused | undefined, undefined> {
    try {
      yield* this.#stream(baseUrl);
    } catch (error) {
      if (error instanceof RequestRefused && !isPassing(error)) return error;
    }
    return undefined;
  }

  async *#stream(baseUrl: string): AsyncGenerator<FollowedEvent, undefined, undefined> {
    const { signal, silenceMs = SILENCE_MS } = this.#options;
    const over = new AbortController();
    const giveUp = () => over.abort();
    let silence = setTimeout(giveUp, silenceMs);
    signal?.addEventListener('abort', giveUp);
    try {
      const parser = new MessageParser();
      const decoder = new TextDecoder();
      const body = await this.#open(baseUrl, over.signal);
      // Not every browser can go through a stream by `for await`.
      for (let read = await body.read(); !read.done; read = await body.read()) {
        clearTimeout(silence);
        silence = setTimeout(giveUp, silenceMs);
        yield* this.#told(parser.read(decoder.decode(read.value, { stream: true })));
      }
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener('abort', giveUp);
      giveUp();
    }
  }

  *#told(messages: readonly Message[]): Generator<FollowedEvent, undefined, undefined> {
    for (const { type, data, lastId } of messages) {
      if (lastId !== '') this.#lastId = lastId;
      const isWanted = type !== 'output' || this.#options.query?.output === true;
      if (data !== '' && isWanted) yield JSON.parse(data);
    }
  }

  async #open(baseUrl: string, signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { query = {}, onState } = this.#options;
    const response = await fetch(urlOf(baseUrl, routes.streamEvents, { query }), {
      headers: {
        ...headersOf(this.#options),
        ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }),
      },
      signal,
    });
    if (!response.ok) throw new RequestRefused(response.status, problemOf(response, await response.text()));
    // It may break before the first event: from here on is what was asked for.
    this.#lastId ??= query.after === undefined ? positionTold(response.headers) : undefined;
    if (response.body === null) throw new Error('the response has no body');
    onState?.('live', Number(this.#lastId ?? query.after));
    return response.body.getReader();
  }
}

/** Follows events until it is told to stop, or is refused. */
export const followEvents = (options: FollowOptions): AsyncGenerator<FollowedEvent, undefined, undefined> =>
  new Following(options).events();
