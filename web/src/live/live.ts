// What a tab knows of the stream of events: how it is, what came last, and who wants to hear of more. What must hold: listeners get each
// event once and in order, or are told to read everything anew.

import type { FollowedEvent } from '#client/follow-events.ts';
import type { FeedNews, FeedState } from './feed.ts';
import { joinFeed } from './join-feed.ts';
import type { LoggedEvent } from './recent-events.ts';
import { RecentEvents } from './recent-events.ts';

export type { LoggedEvent } from './recent-events.ts';

/** A hint that steps on these hosts have said more. */
export interface OutputHint {
  readonly operation: string;
  readonly hosts: readonly string[];
}

export interface Listener {
  onEvents?(events: readonly LoggedEvent[]): void;
  onOutput?(hint: OutputHint): void;
  /** What was missed is not known: everything is to be read anew. */
  onReset?(): void;
}

const MOST_RECENT = 10_000;

const isLogged = (event: FollowedEvent): event is LoggedEvent => 'id' in event;

class Live {
  readonly recent = new RecentEvents(MOST_RECENT);
  readonly #listeners = new Set<Listener>();
  readonly #stateListeners = new Set<() => void>();
  readonly #feed = joinFeed(news => this.#hear(news));
  #state: FeedState = 'connecting';
  #hasBegun = false;

  get state(): FeedState {
    return this.#state;
  }

  readonly listen = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  signedIn(): void {
    if (this.#state === 'signed_out') this.#becomes('connecting', undefined);
    this.#feed.say('signed_in');
  }

  signedOut(): void {
    this.#end();
    this.#feed.say('signed_out');
  }

  #hear(news: FeedNews): void {
    if (news.kind === 'events') this.#take(news.events);
    else if (news.kind === 'state') this.#becomes(news.state, news.position);
    else this.#hasBegun = false;
  }

  #becomes(state: FeedState, position: number | undefined): void {
    if (state === 'live' && position !== undefined && !this.#hasBegun) {
      this.#hasBegun = true;
      this.#begin(position);
    }
    if (state === 'signed_out') this.#end();
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }

  #take(events: readonly FollowedEvent[]): void {
    if (!this.#hasBegun) return;
    const logged: LoggedEvent[] = [];
    for (const event of events) {
      if (isLogged(event)) logged.push(event);
      else if (event.type === 'output') for (const { onOutput } of this.#listeners) onOutput?.(event);
      else this.#begin(event.position);
    }
    if (logged.length === 0) return;
    this.recent.add(logged);
    for (const { onEvents } of this.#listeners) onEvents?.(logged);
  }

  /** What was told to whoever goes is not for whoever comes. */
  #end(): void {
    this.#hasBegun = false;
    this.recent.forget();
  }

  #begin(position: number): void {
    this.recent.begin(position);
    for (const { onReset } of this.#listeners) onReset?.();
  }
}

export const live = new Live();
