// Events as they happen, from whichever server answers. A stream that ends, breaks or falls silent is taken up again where it was, on
// the next server. What must hold: each event once, in order; what cannot be told any more is a `reset`, never a gap.

import type { Static } from 'typebox';
import type { Event, EventReset } from '../contract/events.ts';
import { routes } from '../contract/index.ts';
import type { QueryOf } from '../contract/route.ts';
import type { ClientOptions } from './client.ts';
import { authorizationOf, problemOf, RequestRefused, urlOf } from './client.ts';
import { MessageParser } from './event-messages.ts';
import { isPassing } from './is-passing.ts';

export type FollowedEvent = Static<typeof Event> | Static<typeof EventReset>;

export interface FollowOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** Servers on one store; the next is asked when one does not answer. */
  readonly baseUrls: readonly [string, ...string[]];
  readonly query?: QueryOf<typeof routes.readEvents>;
  readonly pauseMs?: number;
  /** A stream that says nothing for so long is given up; servers give a sign of life every 15 s unless told otherwise. */
  readonly silenceMs?: number;
}

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
    const { baseUrls, signal, pauseMs = PAUSE_MS } = this.#options;
    for (let tries = 0; !signal?.aborted; tries += 1) {
      try {
        yield* this.#stream(baseUrls[tries % baseUrls.length] ?? baseUrls[0]);
      } catch (error) {
        if (error instanceof RequestRefused && !isPassing(error)) throw error;
      }
      // Another server can be asked at once.
      if (tries % baseUrls.length === baseUrls.length - 1) await pause(pauseMs, signal);
    }
  }

  async *#stream(baseUrl: string): AsyncGenerator<FollowedEvent, undefined, undefined> {
    const { signal, silenceMs = SILENCE_MS } = this.#options;
    const over = new AbortController();
    const giveUp = () => over.abort();
    const silence = setTimeout(giveUp, silenceMs);
    signal?.addEventListener('abort', giveUp);
    try {
      const parser = new MessageParser();
      const decoder = new TextDecoder();
      for await (const bytes of await this.#open(baseUrl, over.signal)) {
        silence.refresh();
        for (const { data, lastId } of parser.read(decoder.decode(bytes, { stream: true }))) {
          if (lastId !== '') this.#lastId = lastId;
          if (data !== '') yield JSON.parse(data);
        }
      }
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener('abort', giveUp);
      giveUp();
    }
  }

  async #open(baseUrl: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { query = {} } = this.#options;
    const response = await fetch(urlOf(baseUrl, routes.readEvents, { query }), {
      headers: {
        authorization: authorizationOf(this.#options),
        ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }),
      },
      signal,
    });
    if (!response.ok) throw new RequestRefused(response.status, problemOf(response, await response.text()));
    // It may break before the first event: from here on is what was asked for.
    this.#lastId ??=
      query.after === undefined ? (response.headers.get('hostler-event') ?? undefined) : undefined;
    if (response.body === null) throw new Error('the answer has no body');
    return response.body;
  }
}

/** Follows events until it is told to stop, or is refused. */
export const followEvents = (options: FollowOptions): AsyncGenerator<FollowedEvent, undefined, undefined> =>
  new Following(options).events();
