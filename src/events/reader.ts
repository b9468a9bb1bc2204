import type { EventSink, EventSubscription } from '../domain/events/event-subscription.ts';
import type { OutputNotification } from '../domain/events/signal.ts';
import { filterNotifications } from '../domain/events/signal.ts';
import type { AlarmClock } from '../lib/time/clock.ts';
import type { Batch } from './batch.ts';

export interface ReaderOptions {
  readonly clock: AlarmClock;
  readonly heartbeatMs: number;
  /** Who has left more unread is cut off. */
  readonly maxUnreadBytes: number;
  readonly onGone: (reader: Reader) => void;
  readonly onCut?: () => void;
}

/** About what they take on their way to a reader. */
const bytesOfHints = (hints: readonly OutputNotification[]) =>
  hints.reduce((bytes, { hosts }) => bytes + 100 + 40 * hosts.length, 0);

/** One who reads events. What must hold: each that is wanted is given once, in order; nothing waits for the reader without end. */
export class Reader {
  readonly #reading: EventSubscription;
  readonly #outlet: EventSink;
  readonly #options: ReaderOptions;
  #position: number;
  /** The newest id that the reader has heard of. */
  #toldId: number;
  #isGone = false;
  #stopBeating = () => {};
  #stopWaitingForEnd = () => {};

  constructor(reading: EventSubscription, outlet: EventSink, options: ReaderOptions) {
    this.#reading = reading;
    this.#outlet = outlet;
    this.#options = options;
    // What has happened to the account since it was let in is looked at also where it is not asked for.
    this.#position = Math.min(reading.startAfter, reading.authorizedAtPosition);
    this.#toldId = reading.startAfter;
    outlet.onClosed(() => this.#leave());
    if (reading.reset) outlet.reset(reading.reset);
    this.#beatLater();
    this.#endWithSession();
  }

  /** Everything up to here was looked at. */
  get position(): number {
    return this.#position;
  }

  get account(): string {
    return this.#reading.account;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Gives what is wanted of entries that begin not later than after its position. */
  take(batch: Batch): void {
    if (this.#isGone) return;
    if (batch.endsReadingOf(this.#reading)) this.end();
    else if (this.#outlet.bufferedBytes > this.#options.maxUnreadBytes) this.cut();
    else this.#give(batch);
  }

  /** Nobody is cut off because of hints, so they are only given where there is much room left; they are not made up for. */
  hint(hints: readonly OutputNotification[]): void {
    if (this.#isGone) return;
    const wanted = filterNotifications(hints, this.#reading.filter);
    const unreadBytes = this.#outlet.bufferedBytes + bytesOfHints(wanted);
    if (wanted.length > 0 && unreadBytes <= this.#options.maxUnreadBytes / 2)
      this.#outlet.sendOutputNotifications(wanted);
  }

  roomAgain(): Promise<void> {
    return this.#outlet.whenWritable();
  }

  end(): void {
    this.#leave();
    this.#outlet.end();
  }

  cut(): void {
    if (!this.#isGone) this.#options.onCut?.();
    this.#leave();
    this.#outlet.abort();
  }

  #give(batch: Batch): void {
    const entries = batch.chosenFor(this.#reading, Math.max(this.#position, this.#reading.startAfter));
    this.#position = Math.max(this.#position, batch.lastId);
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#outlet.sendEvents(entries);
    this.#toldId = last.id;
  }

  #beatLater(): void {
    this.#stopBeating = this.#options.clock.after(this.#options.heartbeatMs, () => {
      const hasMoved = this.#position > this.#toldId;
      this.#outlet.sendHeartbeat(hasMoved ? this.#position : undefined);
      if (hasMoved) this.#toldId = this.#position;
      this.#beatLater();
    });
  }

  #endWithSession(): void {
    const { session } = this.#reading;
    if (session === undefined || this.#isGone) return;
    const { clock } = this.#options;
    this.#stopWaitingForEnd = clock.after(session.expiresAtMs - clock.monotonicMs(), () => this.end());
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopBeating();
    this.#stopWaitingForEnd();
    this.#options.onGone(this);
  }
}
