import { useSyncExternalStore } from 'react';
import type { StreamEvent } from '#sdk/event-stream.ts';
import type { FeedMessage, FeedState } from './event-feed.ts';
import { EventFeed } from './event-feed.ts';
import type { TabCommand } from './feed-worker.ts';
import workerUrl from './feed-worker.ts?sharedworker&url';
import type { LoggedEvent } from './recent-events.ts';
import { RecentEvents } from './recent-events.ts';

declare global {
  /**
   * Not available in every browser and not in TypeScript's types. The DOM accepts the returned value where it expects a
   * string.
   */
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createScriptURL(url: string): string },
        ): { createScriptURL(url: string): string };
      }
    | undefined;
}

type SendCommand = (command: TabCommand) => void;

/** The content security policy requires Trusted Types. The policy allows only the URL of the worker. */
function trustedScriptUrl(url: string): string {
  const policy = globalThis.trustedTypes?.createPolicy('hostler', {
    createScriptURL: requested => {
      if (requested !== workerUrl) throw new TypeError('not a script of the dashboard');
      return requested;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}

function connectToWorker(onMessage: (message: FeedMessage) => void): SendCommand {
  const worker = new SharedWorker(trustedScriptUrl(workerUrl), { type: 'module', name: 'hostler-events' });
  worker.port.onmessage = ({ data }: MessageEvent<FeedMessage>) => onMessage(data);
  const send: SendCommand = command => worker.port.postMessage(command);
  globalThis.addEventListener('pagehide', () => send('disconnect'));
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    // The browser restored the page from its back/forward cache.
    if (!persisted) return;
    onMessage({ kind: 'rejoined' });
    send('reconnect');
  });
  return send;
}

/** For browsers without shared workers: one stream per tab. */
function connectDirectly(onMessage: (message: FeedMessage) => void): SendCommand {
  const feed = new EventFeed(onMessage);
  return command => {
    if (command === 'signed_in') feed.start();
    if (command === 'signed_out') feed.stop();
  };
}

const connectFeed = (onMessage: (message: FeedMessage) => void): SendCommand =>
  'SharedWorker' in globalThis ? connectToWorker(onMessage) : connectDirectly(onMessage);

// State of the event stream in a tab. Listeners get each event once and in order, or `onReset`.

export type { LoggedEvent } from './recent-events.ts';

/** The steps on these hosts have new output. */
interface OutputNotification {
  readonly operation: string;
  readonly hosts: readonly string[];
}

interface Listener {
  onEvents?(events: readonly LoggedEvent[]): void;
  onOutput?(notification: OutputNotification): void;
  /** Events can have been missed: the listener must refetch everything. */
  onReset?(): void;
}

const MAX_RECENT_EVENTS = 10_000;

const isLogged = (event: StreamEvent): event is LoggedEvent => 'id' in event;

class LiveEvents {
  readonly recent = new RecentEvents(MAX_RECENT_EVENTS);
  readonly #listeners = new Set<Listener>();
  readonly #stateListeners = new Set<() => void>();
  readonly #send = connectFeed(message => this.#onMessage(message));
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
    this.#send('signed_in');
  }

  signedOut(): void {
    this.#clear();
    this.#send('signed_out');
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

  /** The next account must not receive events of the previous one. */
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

export const useConnectionState = (): FeedState => useSyncExternalStore(liveEvents.onState, () => liveEvents.state);
