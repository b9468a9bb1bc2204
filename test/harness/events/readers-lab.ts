import type { OutboxEntry } from '../../../src/domain/events/domain-event.ts';
import type { LogEntry } from '../../../src/domain/events/event-log.ts';
import type { EventSubscription } from '../../../src/domain/events/event-subscription.ts';
import { EventSubscribers } from '../../../src/events/event-subscribers.ts';
import type { LogSubscriber } from '../../../src/events/log-tail.ts';
import type { OutputListener } from '../../../src/events/output-notifier.ts';
import { VirtualClock } from '../../../src/lib/time/virtual-clock.ts';
import { logged } from './happened.ts';
import { PretendOutlet } from './pretend-outlet.ts';

/** Much less than real readers may leave unread. */
export const MAX_UNREAD_BYTES = 1000;

/** A log of ten entries that grows as a test says, and readers of it. */
export class ReadersLab {
  readonly clock = new VirtualClock();
  readonly entries: LogEntry[] = [];
  readonly warnings: string[] = [];
  readonly hintFollowers = new Set<OutputListener>();
  readonly readers: EventSubscribers;
  /** What happens while somebody reads the log. */
  duringRead = () => {};
  #follower: LogSubscriber = () => {};
  readonly #tail = {
    position: 0,
    subscribe: (wanted: LogSubscriber) => {
      this.#follower = wanted;
      return () => {};
    },
  };

  constructor() {
    this.grow(10);
    this.#tail.position = 10;
    this.readers = new EventSubscribers({
      clock: this.clock,
      tail: this.#tail,
      outputNotifier: {
        subscribe: wanted => {
          this.hintFollowers.add(wanted);
          return () => this.hintFollowers.delete(wanted);
        },
      },
      settings: {
        ...{ maxSubscribers: 2000, maxSubscribersPerAccount: 1999 },
        ...{ maxBufferedBytes: MAX_UNREAD_BYTES, heartbeatMs: 15_000 },
      },
      log: { warn: () => this.warnings.push('away') },
      readLog: async (after, limit) => {
        const page = this.entries.filter(({ id }) => id > after).slice(0, limit);
        this.duringRead();
        return page;
      },
    });
  }

  /** The log has more, and the tail does not know yet. */
  grow(count: number, more: Partial<OutboxEntry> = {}): void {
    for (let made = 0; made < count; made += 1)
      this.entries.push(logged((this.entries.at(-1)?.id ?? 0) + 1, more));
  }

  /** The tail finds what is new. */
  arrive(): void {
    const found = this.entries.filter(({ id }) => id > this.#tail.position);
    this.#tail.position = found.at(-1)?.id ?? this.#tail.position;
    this.#follower(found);
  }

  happen(count = 1, more: Partial<OutboxEntry> = {}): void {
    this.grow(count, more);
    this.arrive();
  }

  subscribe(reading: Partial<EventSubscription> = {}, outlet = new PretendOutlet()): PretendOutlet {
    const { position } = this.#tail;
    this.readers.subscribe(
      {
        ...{ account: 'a', role: 'admin', filter: {}, startAfter: position, authorizedAtPosition: position },
        ...{ session: undefined, includesOutput: false, reset: undefined },
        ...reading,
      },
      outlet,
    );
    return outlet;
  }

  /** Long enough for everything that is due. */
  pass(): Promise<void> {
    return this.clock.advance(600);
  }
}

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
