// The stream of events, read once for whoever listens. It goes on at the last number after every break; when nobody is signed in it waits.

import type { StreamEvent } from '#sdk/event-stream.ts';
import { streamEvents } from '#sdk/event-stream.ts';
import { DASHBOARD_HEADERS, isUnauthenticated } from '../api/client.ts';

/** `signed_out`: the service does not know us; `lost`: it does not answer, and is asked again and again. */
export type FeedState = 'connecting' | 'live' | 'lost' | 'signed_out';

/** What listeners are told. */
export type FeedMessage =
  | { readonly kind: 'state'; readonly state: FeedState; readonly position: number | undefined }
  | { readonly kind: 'events'; readonly events: readonly StreamEvent[] }
  /** Nobody knows what was missed meanwhile. */
  | { readonly kind: 'rejoined' };

/** Events that come together are told together. */
const BUFFER_MS = 100;
const RECONNECT_DELAY_MS = 1000;
/** Somebody on the way, such as a proxy, may refuse what the service would not. */
const REJECTED_RETRY_DELAY_MS = 5000;

export class EventFeed {
  readonly #send: (message: FeedMessage) => void;
  #state: FeedState = 'connecting';
  /** The number of the newest event that was told, or from which it began. */
  #position: number | undefined;
  #buffered: StreamEvent[] = [];
  /** Ends what runs; `undefined`: nothing does. */
  #controller: AbortController | undefined;

  constructor(send: (message: FeedMessage) => void) {
    this.#send = send;
  }

  /** How it is now. */
  get message(): FeedMessage {
    return { kind: 'state', state: this.#state, position: this.#position };
  }

  /** Begins, or begins again after somebody has signed in. */
  start(): void {
    if (this.#controller !== undefined) return;
    const controller = new AbortController();
    this.#controller = controller;
    if (this.#state !== 'lost') this.#setState('connecting');
    this.#run(controller).catch((error: unknown) => {
      if (this.#controller !== controller) return;
      this.#controller = undefined;
      const isSignedOut = isUnauthenticated(error);
      this.#setState(isSignedOut ? 'signed_out' : 'lost');
      if (!isSignedOut) setTimeout(() => this.#state === 'lost' && this.start(), REJECTED_RETRY_DELAY_MS);
    });
  }

  /** Whoever signs in next begins at that time, and must not be told what happened before. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.#position = undefined;
    this.#buffered = [];
    this.#setState('signed_out');
  }

  async #run(controller: AbortController): Promise<void> {
    const events = streamEvents({
      ...DASHBOARD_HEADERS,
      baseUrls: [globalThis.location.origin],
      query: { output: true, ...(this.#position !== undefined && { after: this.#position }) },
      signal: controller.signal,
      reconnectDelayMs: RECONNECT_DELAY_MS,
      onState: (state, position) => {
        // Every further try is part of the same loss.
        const isStillLost = state === 'connecting' && this.#state === 'lost';
        if (this.#controller !== controller || isStillLost) return;
        this.#position ??= position;
        this.#setState(state);
      },
    });
    for await (const event of events) if (this.#controller === controller) this.#buffer(event);
  }

  #setState(state: FeedState): void {
    this.#flush();
    this.#state = state;
    this.#send(this.message);
  }

  #buffer(event: StreamEvent): void {
    if (this.#buffered.length === 0) setTimeout(() => this.#flush(), BUFFER_MS);
    this.#buffered.push(event);
    if ('id' in event) this.#position = event.id;
    else if (event.type === 'reset') this.#position = event.position;
  }

  #flush(): void {
    const events = this.#buffered;
    if (events.length === 0) return;
    this.#buffered = [];
    this.#send({ kind: 'events', events });
  }
}
