// Reads the event stream once for all listeners. It resumes after the last event when the connection breaks, and stops
// while no account is signed in.

import type { StreamEvent } from '#sdk/event-stream.ts';
import { streamEvents } from '#sdk/event-stream.ts';
import { DASHBOARD_HEADERS, isUnauthenticated } from '../api/client.ts';

/** `signed_out`: the server rejects the session. `lost`: the server does not respond, and the feed retries. */
export type FeedState = 'connecting' | 'live' | 'lost' | 'signed_out';

export type FeedMessage =
  | { readonly kind: 'state'; readonly state: FeedState; readonly position: number | undefined }
  | { readonly kind: 'events'; readonly events: readonly StreamEvent[] }
  /** Events can have been missed. */
  | { readonly kind: 'rejoined' };

/** Events within this time are sent in one message. */
const BUFFER_MS = 100;
const RECONNECT_DELAY_MS = 1000;
/** A proxy can reject a request that the server would accept. */
const REJECTED_RETRY_DELAY_MS = 5000;

export class EventFeed {
  readonly #send: (message: FeedMessage) => void;
  #state: FeedState = 'connecting';
  /** ID of the newest event that was sent, or the start position. */
  #position: number | undefined;
  #buffered: StreamEvent[] = [];
  /** Undefined while the feed is stopped. */
  #controller: AbortController | undefined;

  constructor(send: (message: FeedMessage) => void) {
    this.#send = send;
  }

  /** The current state. */
  get message(): FeedMessage {
    return { kind: 'state', state: this.#state, position: this.#position };
  }

  /** Starts the feed, or restarts it after a sign-in. */
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

  /** Resets the position, so the next account does not receive earlier events. */
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
        // Reconnect attempts do not change the state.
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
