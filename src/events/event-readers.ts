// Those who read events on this server. Each first catches up from the log, at the pace at which it reads, and then is given what the
// tail finds, together with all others. What must hold: nobody misses an entry or gets one twice where the one goes over into the other;
// and however slow a reader is, what waits for it is bounded.

import type { LogEntry } from '../domain/events/event-log.ts';
import type { EventSink, EventSubscription } from '../domain/events/event-subscription.ts';
import type { Log } from '../lib/log.ts';
import type { AlarmClock } from '../lib/time/clock.ts';
import { Pacer } from '../lib/time/pacer.ts';
import { Semaphore } from '../lib/turns/semaphore.ts';
import { Batch, bytesOf, followsOn, partsOf } from './batch.ts';
import { giveToAll } from './give-to-all.ts';
import type { EventMeter } from './meter.ts';
import type { OutputHints } from './output-hints.ts';
import { Reader } from './reader.ts';
import type { Tail } from './tail.ts';

export interface EventReaderSettings {
  readonly maxReaders: number;
  /** So that one account, or a program that runs wild with it, does not keep out all others. */
  readonly maxReadersOfAccount: number;
  readonly maxUnreadBytes: number;
  readonly heartbeatMs: number;
}

export interface EventReaderPorts {
  /** Entries of the log after a position, in their order. */
  readonly readLog: (after: number, limit: number) => Promise<readonly LogEntry[]>;
  readonly clock: AlarmClock;
  readonly log: Pick<Log, 'warn'>;
  readonly tail: Pick<Tail, 'position' | 'follow'>;
  readonly hints: Pick<OutputHints, 'follow'>;
  readonly settings: EventReaderSettings;
  readonly meter?: Pick<EventMeter, 'readerCut'>;
}

/** Read from the log at a time by one who catches up. */
const PAGE = 200;
/** About so much is given to a reader at a time; what is more waits until it has read that. */
const PART_BYTES = 64 * 1024;
/** So many read from the log at once. */
const PAGES_AT_ONCE = 4;
/** A write costs much the same however much is in it: the more readers there are, the more events share one. */
const GATHER_MS_PER_READER = 0.1;
const LONGEST_GATHER_MS = 500;
/** When more comes at once than this, readers fetch it from the log, each at its pace. */
const MOST_WAITING_BYTES = 1024 * 1024;

export class EventReaders {
  readonly #ports: EventReaderPorts;
  readonly #pages = new Semaphore(PAGES_AT_ONCE, Number.POSITIVE_INFINITY);
  readonly #pacer: Pacer;
  readonly #stopFollowing: () => void;
  readonly #all = new Set<Reader>();
  /** Those who have caught up. */
  readonly #live = new Set<Reader>();
  #waiting: LogEntry[] = [];
  #waitingBytes = 0;
  /** What comes after this is given to all who have caught up. */
  #position: number;
  #lastMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(ports: EventReaderPorts) {
    this.#ports = ports;
    this.#position = ports.tail.position;
    this.#pacer = new Pacer(ports.clock, 0, () => this.#giveOut());
    this.#stopFollowing = ports.tail.follow(entries => this.#arrive(entries));
  }

  /** How many read now. */
  get count(): number {
    return this.#all.size;
  }

  get isFull(): boolean {
    return this.#all.size >= this.#ports.settings.maxReaders;
  }

  isFullFor(account: string): boolean {
    let count = 0;
    for (const reader of this.#all) if (reader.account === account) count += 1;
    return count >= this.#ports.settings.maxReadersOfAccount;
  }

  follow(reading: EventSubscription, outlet: EventSink): void {
    if (this.#isStopped) {
      outlet.end();
      return;
    }
    const { clock, settings, meter } = this.#ports;
    let stopHints = () => {};
    const onGone = (gone: Reader) => {
      this.#all.delete(gone);
      this.#live.delete(gone);
      stopHints();
    };
    const onCut = () => meter?.readerCut();
    const reader = new Reader(reading, outlet, { clock, onGone, onCut, ...settings });
    // Whoever has left before it began is not waited for.
    if (reader.isGone) return;
    this.#all.add(reader);
    if (reading.includesOutput) stopHints = this.#giveHints(reader);
    void this.#catchUp(reader);
  }

  /** Who has not caught up may not be allowed to read any more. */
  #giveHints(reader: Reader): () => void {
    return this.#ports.hints.follow(hints => {
      if (this.#live.has(reader)) reader.hint(hints);
    });
  }

  /** Ends all at once; they go on elsewhere. */
  stop(): void {
    this.#isStopped = true;
    this.#stopFollowing();
    void this.#pacer.stop();
    for (const reader of this.#all) reader.end();
  }

  /** Between finding that there is nothing more to fetch and being among those who are given all, nothing can happen. */
  async #catchUp(reader: Reader): Promise<void> {
    try {
      while (!reader.isGone && reader.position < this.#position) await this.#takePage(reader);
      if (!reader.isGone) this.#live.add(reader);
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'cannot read the event log; closing an event stream');
      reader.cut();
    }
  }

  async #takePage(reader: Reader): Promise<void> {
    const { position } = reader;
    const entries = await this.#pages.run(async () =>
      reader.isGone ? [] : this.#ports.readLog(position, PAGE),
    );
    if (reader.isGone) return;
    // What is missing has been cut off, or was never here. When the reader comes back it is told so.
    if (entries.length === 0 || !followsOn(position, entries)) reader.cut();
    for (const part of partsOf(entries, PART_BYTES)) {
      reader.take(new Batch(part));
      await reader.roomAgain();
    }
  }

  #arrive(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#waiting.push(entry);
      this.#waitingBytes += bytesOf(entry);
    }
    if (this.#waitingBytes > MOST_WAITING_BYTES) this.#sendBack();
    const gatherMs = Math.min(LONGEST_GATHER_MS, GATHER_MS_PER_READER * this.#live.size);
    this.#pacer.doIn(Math.max(0, this.#lastMs + gatherMs - this.#ports.clock.monotonicMs()));
  }

  /** Everyone fetches what waits from the log. */
  #sendBack(): void {
    this.#takeWaiting();
    const readers = [...this.#live];
    this.#live.clear();
    for (const reader of readers) void this.#catchUp(reader);
  }

  #takeWaiting(): readonly LogEntry[] {
    const entries = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#position = entries.at(-1)?.id ?? this.#position;
    return entries;
  }

  async #giveOut(): Promise<void> {
    this.#lastMs = this.#ports.clock.monotonicMs();
    if (!followsOn(this.#position, this.#waiting)) {
      this.#sendBack();
      return;
    }
    const entries = this.#takeWaiting();
    if (entries.length === 0) return;
    const batch = new Batch(entries);
    await giveToAll(this.#live, reader => this.#give(reader, batch));
  }

  /** What one cannot be given must not keep others from getting it. */
  #give(reader: Reader, batch: Batch): void {
    try {
      reader.take(batch);
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'cannot send an event; closing an event stream');
      reader.cut();
    }
  }
}
