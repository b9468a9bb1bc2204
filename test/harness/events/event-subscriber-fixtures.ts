import type { OutboxEntry } from '../../../src/domain/events/domain-event.ts';
import type { LogEntry } from '../../../src/domain/events/event-log.ts';
import type { EventReset, EventSink, EventSubscription } from '../../../src/domain/events/event-subscription.ts';
import type { OutputNotification } from '../../../src/domain/events/signal.ts';
import { EventSubscribers } from '../../../src/events/event-subscribers.ts';
import type { LogSubscriber } from '../../../src/events/log-tail.ts';
import type { OutputListener } from '../../../src/events/output-notifier.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { logEntry } from './outbox-entries.ts';

/** An event sink in memory that can stop reading. */
export class FakeEventSink implements EventSink {
  /** Event IDs, and texts for the other calls. */
  readonly received: (number | string)[] = [];
  readonly batches: (readonly LogEntry[])[] = [];
  bufferedBytes = 0;
  isReading = true;
  end = () => this.#close('ended');
  abort = () => this.#close('cut');
  #onClosed = () => {};
  #onWritable: (() => void)[] = [];

  get ids(): readonly number[] {
    return this.received.filter(entry => typeof entry === 'number');
  }

  sendEvents(entries: readonly LogEntry[]): void {
    this.batches.push(entries);
    for (const { id } of entries) this.received.push(id);
    if (!this.isReading) this.bufferedBytes += entries.length * 100;
  }

  sendOutputNotifications(notifications: readonly OutputNotification[]): void {
    for (const { operation, hosts } of notifications) this.received.push(`output ${operation} ${hosts.join(' ')}`);
  }

  reset({ after, position }: EventReset): void {
    this.received.push(`reset ${after} to ${position}`);
  }

  sendHeartbeat(position: number | undefined): void {
    this.received.push(position === undefined ? 'beat' : `beat at ${position}`);
  }

  whenWritable(): Promise<void> {
    if (this.isReading) return Promise.resolve();
    return new Promise(resolve => this.#onWritable.push(resolve));
  }

  resumeReading(): void {
    this.isReading = true;
    this.bufferedBytes = 0;
    for (const resume of this.#onWritable.splice(0)) resume();
  }

  onClosed(callback: () => void): void {
    this.#onClosed = callback;
  }

  /** Simulates a client that disconnects. */
  disconnect(): void {
    this.#onClosed();
  }

  #close(outcome: string): void {
    this.received.push(outcome);
    this.#onClosed();
    this.resumeReading();
  }
}

/** Far below the production limit. */
export const MAX_UNREAD_BYTES = 1000;

/** Subscribers of a log with ten entries. The test adds further entries. */
export class EventSubscribersFixture {
  readonly clock = new VirtualClock();
  readonly entries: LogEntry[] = [];
  readonly warnings: string[] = [];
  readonly outputListeners = new Set<OutputListener>();
  readonly subscribers: EventSubscribers;
  /** Called while a subscriber reads the log. */
  duringRead = () => {};
  #subscriber: LogSubscriber = () => {};
  readonly #tail = {
    position: 0,
    subscribe: (listener: LogSubscriber) => {
      this.#subscriber = listener;
      return () => {};
    },
  };

  constructor() {
    this.appendEntries(10);
    this.#tail.position = 10;
    this.subscribers = new EventSubscribers({
      clock: this.clock,
      tail: this.#tail,
      outputNotifier: {
        subscribe: listener => {
          this.outputListeners.add(listener);
          return () => this.outputListeners.delete(listener);
        },
      },
      settings: {
        ...{ maxSubscribers: 2000, maxSubscribersPerAccount: 1999 },
        ...{ maxBufferedBytes: MAX_UNREAD_BYTES, heartbeatMs: 15_000 },
      },
      log: { warn: () => this.warnings.push('store unavailable') },
      readLog: async (after, limit) => {
        const page = this.entries.filter(({ id }) => id > after).slice(0, limit);
        this.duringRead();
        return page;
      },
    });
  }

  /** Adds log entries without notifying the tail. */
  appendEntries(count: number, overrides: Partial<OutboxEntry> = {}): void {
    for (let index = 0; index < count; index += 1)
      this.entries.push(logEntry((this.entries.at(-1)?.id ?? 0) + 1, overrides));
  }

  deliver(): void {
    const found = this.entries.filter(({ id }) => id > this.#tail.position);
    this.#tail.position = found.at(-1)?.id ?? this.#tail.position;
    this.#subscriber(found);
  }

  publish(count = 1, overrides: Partial<OutboxEntry> = {}): void {
    this.appendEntries(count, overrides);
    this.deliver();
  }

  subscribe(options: Partial<EventSubscription> = {}, sink = new FakeEventSink()): FakeEventSink {
    const { position } = this.#tail;
    this.subscribers.subscribe(
      {
        ...{ account: 'a', role: 'admin', filter: {}, startAfter: position, authorizedAtPosition: position },
        ...{ session: undefined, includesOutput: false, reset: undefined },
        ...options,
      },
      sink,
    );
    return sink;
  }

  /** Long enough for all due timers. */
  advance(): Promise<void> {
    return this.clock.advance(600);
  }
}

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
