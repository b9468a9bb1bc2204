// The stream of events, read once for whoever listens. It goes on at the last number after every break; when nobody is signed in it waits.

import type { FollowedEvent } from '#client/follow-events.ts';
import { followEvents } from '#client/follow-events.ts';
import { CALLER } from '../api/client.ts';
import { isUnknownCaller } from '../api/is-unknown-caller.ts';

/** `signed_out`: the service does not know us; `lost`: it does not answer, and is asked again and again. */
export type FeedState = 'connecting' | 'live' | 'lost' | 'signed_out';

/** What listeners are told. */
export type FeedNews =
  | { readonly kind: 'state'; readonly state: FeedState; readonly position: number | undefined }
  | { readonly kind: 'events'; readonly events: readonly FollowedEvent[] }
  /** Nobody knows what was missed meanwhile. */
  | { readonly kind: 'joined_again' };

/** Events that come together are told together. */
const GATHER_MS = 100;
const PAUSE_MS = 1000;
/** Somebody on the way, such as a proxy, may refuse what the service would not. */
const REFUSED_PAUSE_MS = 5000;

export class Feed {
  readonly #tell: (news: FeedNews) => void;
  #state: FeedState = 'connecting';
  /** The number of the newest event that was told, or from which it began. */
  #position: number | undefined;
  #gathered: FollowedEvent[] = [];
  /** Ends what runs; `undefined`: nothing does. */
  #over: AbortController | undefined;

  constructor(tell: (news: FeedNews) => void) {
    this.#tell = tell;
  }

  /** How it is now. */
  get news(): FeedNews {
    return { kind: 'state', state: this.#state, position: this.#position };
  }

  /** Begins, or begins again after somebody has signed in. */
  start(): void {
    if (this.#over !== undefined) return;
    const over = new AbortController();
    this.#over = over;
    if (this.#state !== 'lost') this.#becomes('connecting');
    this.#run(over).catch((error: unknown) => {
      if (this.#over !== over) return;
      this.#over = undefined;
      const isUnknown = isUnknownCaller(error);
      this.#becomes(isUnknown ? 'signed_out' : 'lost');
      if (!isUnknown) setTimeout(() => this.#state === 'lost' && this.start(), REFUSED_PAUSE_MS);
    });
  }

  /** Whoever signs in next begins at that time, and must not be told what happened before. */
  stop(): void {
    this.#over?.abort();
    this.#over = undefined;
    this.#position = undefined;
    this.#gathered = [];
    this.#becomes('signed_out');
  }

  async #run(over: AbortController): Promise<void> {
    const events = followEvents({
      ...CALLER,
      baseUrls: [globalThis.location.origin],
      query: { output: true, ...(this.#position !== undefined && { after: this.#position }) },
      signal: over.signal,
      pauseMs: PAUSE_MS,
      onState: (state, position) => {
        // Every further try is part of the same loss.
        const isStillLost = state === 'connecting' && this.#state === 'lost';
        if (this.#over !== over || isStillLost) return;
        this.#position ??= position;
        this.#becomes(state);
      },
    });
    for await (const event of events) if (this.#over === over) this.#gather(event);
  }

  #becomes(state: FeedState): void {
    this.#give();
    this.#state = state;
    this.#tell(this.news);
  }

  #gather(event: FollowedEvent): void {
    if (this.#gathered.length === 0) setTimeout(() => this.#give(), GATHER_MS);
    this.#gathered.push(event);
    if ('id' in event) this.#position = event.id;
    else if (event.type === 'reset') this.#position = event.position;
  }

  #give(): void {
    const events = this.#gathered;
    if (events.length === 0) return;
    this.#gathered = [];
    this.#tell({ kind: 'events', events });
  }
}
