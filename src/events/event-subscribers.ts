// The event streams of this server. A subscriber first catches up from the log at its own pace, and then
// receives the entries of the log tail together with all others.
// No entry is lost or sent twice at this transition, and the buffer for a slow client is bounded.

import type { LogEntry } from '../domain/events/event-log.ts';
import type { EventSink, EventSubscription } from '../domain/events/event-subscription.ts';
import { forEachYielding, Semaphore } from '../lib/concurrency.ts';
import type { Log } from '../lib/log.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import { EventBatch, estimateBytes, isContiguous, splitBySize } from './event-batch.ts';
import { EventSubscriber } from './event-subscriber.ts';
import type { LogTail } from './log-tail.ts';
import type { OutputNotifier } from './output-notifier.ts';
import type { EventMetrics } from './ports.ts';

interface SubscriberLimits {
  readonly maxSubscribers: number;
  /** One account, or a client that fails in a loop, must not use all streams. */
  readonly maxSubscribersPerAccount: number;
  readonly maxBufferedBytes: number;
  readonly heartbeatMs: number;
}

export interface EventSubscriberPorts {
  readonly readLog: (after: number, limit: number) => Promise<readonly LogEntry[]>;
  readonly clock: TimerClock;
  readonly log: Pick<Log, 'warn'>;
  readonly tail: Pick<LogTail, 'position' | 'subscribe'>;
  readonly outputNotifier: Pick<OutputNotifier, 'subscribe'>;
  readonly settings: SubscriberLimits;
  readonly metrics?: Pick<EventMetrics, 'subscriberDisconnected'>;
}

const PAGE_SIZE = 200;
/** Estimated bytes per write while catching up. The next write waits until the client has read them. */
const CHUNK_BYTES = 64 * 1024;
const MAX_CONCURRENT_PAGES = 4;
/** A write has a high fixed cost, so with more subscribers events are collected for longer. */
const BATCH_MS_PER_SUBSCRIBER = 0.1;
const MAX_BATCH_MS = 500;
/** With more pending bytes, the subscribers read from the log, each at its own pace. */
const MAX_PENDING_BYTES = 1024 * 1024;

export class EventSubscribers {
  readonly #ports: EventSubscriberPorts;
  readonly #pageReads = new Semaphore(MAX_CONCURRENT_PAGES, Number.POSITIVE_INFINITY);
  readonly #broadcastJob: ThrottledJob;
  readonly #unsubscribe: () => void;
  readonly #all = new Set<EventSubscriber>();
  readonly #caughtUp = new Set<EventSubscriber>();
  #pending: LogEntry[] = [];
  #pendingBytes = 0;
  /** Entries after this id are broadcast to all subscribers that have caught up. */
  #position: number;
  #lastBroadcastMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(ports: EventSubscriberPorts) {
    this.#ports = ports;
    this.#position = ports.tail.position;
    this.#broadcastJob = new ThrottledJob({ clock: ports.clock, minIntervalMs: 0, run: () => this.#broadcast() });
    this.#unsubscribe = ports.tail.subscribe(entries => this.#enqueue(entries));
  }

  get size(): number {
    return this.#all.size;
  }

  get isFull(): boolean {
    return this.#all.size >= this.#ports.settings.maxSubscribers;
  }

  isFullFor(account: string): boolean {
    let size = 0;
    for (const subscriber of this.#all) if (subscriber.account === account) size += 1;
    return size >= this.#ports.settings.maxSubscribersPerAccount;
  }

  subscribe(subscription: EventSubscription, sink: EventSink): void {
    if (this.#isStopped) {
      sink.end();
      return;
    }
    const { clock, settings, metrics } = this.#ports;
    let stopOutput = () => {};
    const onClosed = (closed: EventSubscriber) => {
      this.#all.delete(closed);
      this.#caughtUp.delete(closed);
      stopOutput();
    };
    const onDisconnected = () => metrics?.subscriberDisconnected();
    const subscriber = new EventSubscriber(subscription, sink, {
      clock,
      onClosed,
      onDisconnected,
      ...settings,
    });
    if (subscriber.isClosed) return;
    this.#all.add(subscriber);
    if (subscription.includesOutput) stopOutput = this.#subscribeToOutput(subscriber);
    void this.#catchUp(subscriber);
  }

  /** Until a subscriber has caught up, it is unknown whether its account is still authorized. */
  #subscribeToOutput(subscriber: EventSubscriber): () => void {
    return this.#ports.outputNotifier.subscribe(notifications => {
      if (this.#caughtUp.has(subscriber)) subscriber.deliverOutput(notifications);
    });
  }

  /** Ends all streams. The clients reconnect to another server. */
  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    void this.#broadcastJob.stop();
    for (const subscriber of this.#all) subscriber.end();
  }

  /** No `await` between the last comparison of positions and `add`: no broadcast can happen in between. */
  async #catchUp(subscriber: EventSubscriber): Promise<void> {
    try {
      while (!subscriber.isClosed && subscriber.position < this.#position) await this.#deliverPage(subscriber);
      if (!subscriber.isClosed) this.#caughtUp.add(subscriber);
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'cannot read the event log; closing an event stream');
      subscriber.disconnect();
    }
  }

  async #deliverPage(subscriber: EventSubscriber): Promise<void> {
    const { position } = subscriber;
    const entries = await this.#pageReads.run(async () =>
      subscriber.isClosed ? [] : this.#ports.readLog(position, PAGE_SIZE),
    );
    if (subscriber.isClosed) return;
    // Missing entries were pruned or never existed. The client gets the reason when it reconnects.
    if (entries.length === 0 || !isContiguous(position, entries)) subscriber.disconnect();
    for (const chunk of splitBySize(entries, CHUNK_BYTES)) {
      subscriber.deliver(new EventBatch(chunk));
      await subscriber.whenWritable();
    }
  }

  #enqueue(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#pending.push(entry);
      this.#pendingBytes += estimateBytes(entry);
    }
    if (this.#pendingBytes > MAX_PENDING_BYTES) this.#fallBackToLog();
    const batchMs = Math.min(MAX_BATCH_MS, BATCH_MS_PER_SUBSCRIBER * this.#caughtUp.size);
    this.#broadcastJob.scheduleIn(Math.max(0, this.#lastBroadcastMs + batchMs - this.#ports.clock.monotonicMs()));
  }

  #fallBackToLog(): void {
    this.#takePending();
    const subscribers = [...this.#caughtUp];
    this.#caughtUp.clear();
    for (const subscriber of subscribers) void this.#catchUp(subscriber);
  }

  #takePending(): readonly LogEntry[] {
    const entries = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#position = entries.at(-1)?.id ?? this.#position;
    return entries;
  }

  async #broadcast(): Promise<undefined> {
    this.#lastBroadcastMs = this.#ports.clock.monotonicMs();
    if (!isContiguous(this.#position, this.#pending)) {
      this.#fallBackToLog();
      return;
    }
    const entries = this.#takePending();
    if (entries.length === 0) return;
    const batch = new EventBatch(entries);
    await forEachYielding(this.#caughtUp, subscriber => this.#deliver(subscriber, batch));
  }

  /** An error of one subscriber must not affect the others. */
  #deliver(subscriber: EventSubscriber, batch: EventBatch): void {
    try {
      subscriber.deliver(batch);
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'cannot send an event; closing an event stream');
      subscriber.disconnect();
    }
  }
}
