import type { EventSink, EventSubscription } from '../domain/events/event-subscription.ts';
import type { OutputNotification } from '../domain/events/signal.ts';
import { filterNotifications } from '../domain/events/signal.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { EventBatch } from './event-batch.ts';

export interface SubscriberOptions {
  readonly clock: TimerClock;
  readonly heartbeatMs: number;
  /** A client with more unread bytes is disconnected. */
  readonly maxBufferedBytes: number;
  readonly onClosed: (subscriber: EventSubscriber) => void;
  readonly onDisconnected?: () => void;
}

const estimateNotificationBytes = (notifications: readonly OutputNotification[]) =>
  notifications.reduce((bytes, { hosts }) => bytes + 100 + 40 * hosts.length, 0);

/** One client that reads events. Sends each matching event once and in order, with a bounded buffer. */
export class EventSubscriber {
  readonly #subscription: EventSubscription;
  readonly #sink: EventSink;
  readonly #options: SubscriberOptions;
  #position: number;
  #lastSentId: number;
  #isClosed = false;
  #stopHeartbeat = () => {};
  #cancelSessionTimer = () => {};

  constructor(subscription: EventSubscription, sink: EventSink, options: SubscriberOptions) {
    this.#subscription = subscription;
    this.#sink = sink;
    this.#options = options;
    // Starts at the authorization even if the client asked for later events: a change of the account since
    // then must end the stream.
    this.#position = Math.min(subscription.startAfter, subscription.authorizedAtPosition);
    this.#lastSentId = subscription.startAfter;
    sink.onClosed(() => this.#close());
    if (subscription.reset) sink.reset(subscription.reset);
    this.#scheduleHeartbeat();
    this.#endAtSessionExpiry();
  }

  /** All entries up to this id are processed. */
  get position(): number {
    return this.#position;
  }

  get account(): string {
    return this.#subscription.account;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends the matching entries. The batch must not start after the next entry of this subscriber. */
  deliver(batch: EventBatch): void {
    if (this.#isClosed) return;
    if (batch.revokes(this.#subscription)) this.end();
    else if (this.#sink.bufferedBytes > this.#options.maxBufferedBytes) this.disconnect();
    else this.#send(batch);
  }

  /** Drops hints when the buffer is half full: they must not disconnect a slow client. */
  deliverOutput(notifications: readonly OutputNotification[]): void {
    if (this.#isClosed) return;
    const matching = filterNotifications(notifications, this.#subscription.filter);
    const bufferedBytes = this.#sink.bufferedBytes + estimateNotificationBytes(matching);
    if (matching.length > 0 && bufferedBytes <= this.#options.maxBufferedBytes / 2)
      this.#sink.sendOutputNotifications(matching);
  }

  whenWritable(): Promise<void> {
    return this.#sink.whenWritable();
  }

  end(): void {
    this.#close();
    this.#sink.end();
  }

  disconnect(): void {
    if (!this.#isClosed) this.#options.onDisconnected?.();
    this.#close();
    this.#sink.abort();
  }

  #send(batch: EventBatch): void {
    const entries = batch.selectFor(this.#subscription, Math.max(this.#position, this.#subscription.startAfter));
    this.#position = Math.max(this.#position, batch.lastId);
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#sink.sendEvents(entries);
    this.#lastSentId = last.id;
  }

  #scheduleHeartbeat(): void {
    this.#stopHeartbeat = this.#options.clock.setTimer(this.#options.heartbeatMs, () => {
      const hasMoved = this.#position > this.#lastSentId;
      this.#sink.sendHeartbeat(hasMoved ? this.#position : undefined);
      if (hasMoved) this.#lastSentId = this.#position;
      this.#scheduleHeartbeat();
    });
  }

  #endAtSessionExpiry(): void {
    const { session } = this.#subscription;
    if (session === undefined || this.#isClosed) return;
    const { clock } = this.#options;
    this.#cancelSessionTimer = clock.setTimer(session.expiresAtMs - clock.monotonicMs(), () => this.end());
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopHeartbeat();
    this.#cancelSessionTimer();
    this.#options.onClosed(this);
  }
}
