import type { LogEntry } from '../../../src/domain/events/event-log.ts';
import type { EventReset, EventSink } from '../../../src/domain/events/event-subscription.ts';
import type { OutputNotification } from '../../../src/domain/events/signal.ts';

/** Somebody who reads events in memory, and may stop reading. */
export class PretendOutlet implements EventSink {
  /** What was given, in short: ids, and words for the rest. */
  readonly told: (number | string)[] = [];
  readonly lists: (readonly LogEntry[])[] = [];
  bufferedBytes = 0;
  isReading = true;
  end = () => this.#close('ended');
  abort = () => this.#close('cut');
  #onClosed = () => {};
  #onRoom: (() => void)[] = [];

  get ids(): readonly number[] {
    return this.told.filter(each => typeof each === 'number');
  }

  sendEvents(entries: readonly LogEntry[]): void {
    this.lists.push(entries);
    for (const { id } of entries) this.told.push(id);
    if (!this.isReading) this.bufferedBytes += entries.length * 100;
  }

  sendOutputNotifications(hints: readonly OutputNotification[]): void {
    for (const { operation, hosts } of hints) this.told.push(`output ${operation} ${hosts.join(' ')}`);
  }

  reset({ after, position }: EventReset): void {
    this.told.push(`reset ${after} to ${position}`);
  }

  sendHeartbeat(position: number | undefined): void {
    this.told.push(position === undefined ? 'beat' : `beat at ${position}`);
  }

  whenWritable(): Promise<void> {
    if (this.isReading) return Promise.resolve();
    return new Promise(resolve => this.#onRoom.push(resolve));
  }

  readOn(): void {
    this.isReading = true;
    this.bufferedBytes = 0;
    for (const goOn of this.#onRoom.splice(0)) goOn();
  }

  onClosed(callback: () => void): void {
    this.#onClosed = callback;
  }

  /** The client goes away. */
  leave(): void {
    this.#onClosed();
  }

  #close(how: string): void {
    this.told.push(how);
    this.#onClosed();
    this.readOn();
  }
}
