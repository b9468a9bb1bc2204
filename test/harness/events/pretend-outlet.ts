import type { LogEntry } from '../../../src/domain/events/event-log.ts';
import type { EventOutlet, EventReset } from '../../../src/domain/events/event-reading.ts';
import type { OutputHint } from '../../../src/domain/events/output-hint.ts';

/** Somebody who reads events in memory, and may stop reading. */
export class PretendOutlet implements EventOutlet {
  /** What was given, in short: ids, and words for the rest. */
  readonly told: (number | string)[] = [];
  readonly lists: (readonly LogEntry[])[] = [];
  unreadBytes = 0;
  isReading = true;
  end = () => this.#close('ended');
  cut = () => this.#close('cut');
  #onClosed = () => {};
  #onRoom: (() => void)[] = [];

  get ids(): readonly number[] {
    return this.told.filter(each => typeof each === 'number');
  }

  give(entries: readonly LogEntry[]): void {
    this.lists.push(entries);
    for (const { id } of entries) this.told.push(id);
    if (!this.isReading) this.unreadBytes += entries.length * 100;
  }

  hint(hints: readonly OutputHint[]): void {
    for (const { operation, hosts } of hints) this.told.push(`output ${operation} ${hosts.join(' ')}`);
  }

  reset({ after, position }: EventReset): void {
    this.told.push(`reset ${after} to ${position}`);
  }

  beat(position: number | undefined): void {
    this.told.push(position === undefined ? 'beat' : `beat at ${position}`);
  }

  roomAgain(): Promise<void> {
    if (this.isReading) return Promise.resolve();
    return new Promise(resolve => this.#onRoom.push(resolve));
  }

  readOn(): void {
    this.isReading = true;
    this.unreadBytes = 0;
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
