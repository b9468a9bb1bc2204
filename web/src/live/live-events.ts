import { useSyncExternalStore } from 'react';
import type { StreamEvent } from '#sdk/event-stream.ts';
import type { FeedMessage, FeedState } from './event-feed.ts';
import { EventFeed } from './event-feed.ts';
import type { TabCommand } from './feed-worker.ts';
import workerUrl from './feed-worker.ts?sharedworker&url';
import type { LoggedEvent } from './recent-events.ts';
import { RecentEvents } from './recent-events.ts';

declare global {
  /** Not in every browser, and not in TypeScript's types yet. Scripts take what the policy answers for a text. */
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createScriptURL(url: string): string },
        ): { createScriptURL(url: string): string };
      }
    | undefined;
}

/** The stream, as a tab has it. */
export interface FeedConnection {
  send(word: TabCommand): void;
}

/** The content security policy lets nothing become a script but what a policy has looked at: only this one file. */
function trustedScriptUrl(url: string): string {
  const policy = globalThis.trustedTypes?.createPolicy('hostler', {
    createScriptURL: requested => {
      if (requested !== workerUrl) throw new TypeError('this is no script of the dashboard');
      return requested;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}

function connectToWorker(onMessage: (message: FeedMessage) => void): FeedConnection {
  const worker = new SharedWorker(trustedScriptUrl(workerUrl), { type: 'module', name: 'hostler-events' });
  worker.port.onmessage = ({ data }: MessageEvent<FeedMessage>) => onMessage(data);
  const send = (command: TabCommand) => worker.port.postMessage(command);
  globalThis.addEventListener('pagehide', () => send('disconnect'));
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    // The browser has kept the page while somebody was elsewhere.
    if (!persisted) return;
    onMessage({ kind: 'rejoined' });
    send('reconnect');
  });
  return { send };
}

/** Browsers without shared workers have a stream for each tab. */
function connectDirectly(onMessage: (news: FeedMessage) => void): FeedConnection {
  const feed = new EventFeed(onMessage);
  return {
    send: command => {
      if (command === 'signed_in') feed.start();
      if (command === 'signed_out') feed.stop();
    },
  };
}

export const connectFeed = (onMessage: (message: FeedMessage) => void): FeedConnection =>
  'SharedWorker' in globalThis ? connectToWorker(onMessage) : connectDirectly(onMessage);

// What a tab knows of the stream of events: how it is, what came last, and who wants to hear of more. What must hold: listeners get each
// event once and in order, or are told to read everything anew.

export type { LoggedEvent } from './recent-events.ts';

/** A hint that steps on these hosts have said more. */
export interface OutputNotification {
  readonly operation: string;
  readonly hosts: readonly string[];
}

export interface Listener {
  onEvents?(events: readonly LoggedEvent[]): void;
  onOutput?(notification: OutputNotification): void;
  /** What was missed is not known: everything is to be read anew. */
  onReset?(): void;
}

const MAX_RECENT_EVENTS = 10_000;

const isLogged = (event: StreamEvent): event is LoggedEvent => 'id' in event;

class LiveEvents {
  readonly recent = new RecentEvents(MAX_RECENT_EVENTS);
  readonly #listeners = new Set<Listener>();
  readonly #stateListeners = new Set<() => void>();
  readonly #feed = connectFeed(message => this.#onMessage(message));
  #state: FeedState = 'connecting';
  #hasStarted = false;

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
    if (this.#state === 'signed_out') this.#setState('connecting', undefined);
    this.#feed.send('signed_in');
  }

  signedOut(): void {
    this.#clear();
    this.#feed.send('signed_out');
  }

  #onMessage(message: FeedMessage): void {
    if (message.kind === 'events') this.#applyEvents(message.events);
    else if (message.kind === 'state') this.#setState(message.state, message.position);
    else this.#hasStarted = false;
  }

  #setState(state: FeedState, position: number | undefined): void {
    if (state === 'live' && position !== undefined && !this.#hasStarted) {
      this.#hasStarted = true;
      this.#start(position);
    }
    if (state === 'signed_out') this.#clear();
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }

  #applyEvents(events: readonly StreamEvent[]): void {
    if (!this.#hasStarted) return;
    const logged: LoggedEvent[] = [];
    for (const event of events) {
      if (isLogged(event)) logged.push(event);
      else if (event.type === 'output') for (const { onOutput } of this.#listeners) onOutput?.(event);
      else this.#start(event.position);
    }
    if (logged.length === 0) return;
    this.recent.add(logged);
    for (const { onEvents } of this.#listeners) onEvents?.(logged);
  }

  /** What was told to whoever goes is not for whoever comes. */
  #clear(): void {
    this.#hasStarted = false;
    this.recent.clear();
  }

  #start(position: number): void {
    this.recent.start(position);
    for (const { onReset } of this.#listeners) onReset?.();
  }
}

export const liveEvents = new LiveEvents();

export const useConnectionState = (): FeedState =>
  useSyncExternalStore(liveEvents.onState, () => liveEvents.state);
