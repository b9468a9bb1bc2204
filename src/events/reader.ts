import type { EventOutlet, EventReading } from '../domain/events/event-reading.ts';
import type { OutputHint } from '../domain/events/output-hint.ts';
import { hintsFor } from '../domain/events/output-hint.ts';
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
const bytesOfHints = (hints: readonly OutputHint[]) =>
  hints.reduce((bytes, { hosts }) => bytes + 100 + 40 * hosts.length, 0);

/** One who reads events. What must hold: each that is wanted is given once, in order; nothing waits for the reader without end. */
export class Reader {
  readonly #reading: EventReading;
  readonly #outlet: EventOutlet;
  readonly #options: ReaderOptions;
  #position: number;
  /** The newest id that the reader has heard of. */
  #toldId: number;
  #isGone = false;
  #stopBeating = () => {};
  #stopWaitingForEnd = () => {};

  constructor(reading: EventReading, outlet: EventOutlet, options: ReaderOptions) {
    this.#reading = reading;
    this.#outlet = outlet;
    this.#options = options;
    // What has happened to the account since it was let in is looked at also where it is not asked for.
    this.#position = Math.min(reading.from, reading.admittedPosition);
    this.#toldId = reading.from;
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
    else if (this.#outlet.unreadBytes > this.#options.maxUnreadBytes) this.cut();
    else this.#give(batch);
  }

  /** Nobody is cut off because of hints, so they are only given where there is much room left; they are not made up for. */
  hint(hints: readonly OutputHint[]): void {
    if (this.#isGone) return;
    const wanted = hintsFor(hints, this.#reading.filter);
    const unreadBytes = this.#outlet.unreadBytes + bytesOfHints(wanted);
    if (wanted.length > 0 && unreadBytes <= this.#options.maxUnreadBytes / 2) this.#outlet.hint(wanted);
  }

  roomAgain(): Promise<void> {
    return this.#outlet.roomAgain();
  }

  end(): void {
    this.#leave();
    this.#outlet.end();
  }

  cut(): void {
    if (!this.#isGone) this.#options.onCut?.();
    this.#leave();
    this.#outlet.cut();
  }

  #give(batch: Batch): void {
    const entries = batch.chosenFor(this.#reading, Math.max(this.#position, this.#reading.from));
    this.#position = Math.max(this.#position, batch.lastId);
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#outlet.give(entries);
    this.#toldId = last.id;
  }

  #beatLater(): void {
    this.#stopBeating = this.#options.clock.after(this.#options.heartbeatMs, () => {
      const hasMoved = this.#position > this.#toldId;
      this.#outlet.beat(hasMoved ? this.#position : undefined);
      if (hasMoved) this.#toldId = this.#position;
      this.#beatLater();
    });
  }

  #endWithSession(): void {
    const { session } = this.#reading;
    if (session === undefined || this.#isGone) return;
    const { clock } = this.#options;
    this.#stopWaitingForEnd = clock.after(session.untilMs - clock.monotonicMs(), () => this.end());
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopBeating();
    this.#stopWaitingForEnd();
    this.#options.onGone(this);
  }
}
