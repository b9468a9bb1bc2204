import { harmlessText } from '../../lib/text/harmless.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';

/** Of the end of what a step says this much is kept. */
const KEPT_BYTES = 65_536;
/** What everybody sees at a glance. */
const LAST_LINES = 5;
const LAST_LINES_LENGTH = 1000;
/** People who watch see it so soon; the store is not asked more often. */
const SAVE_EVERY_MS = 1000;

export interface HeardOutput {
  readonly output: string;
  readonly lastLines: string;
}

/** What is said on a host while a step runs: its end is kept, and saved now and then meanwhile. */
export class StepOutput {
  readonly #clock: AlarmClock;
  readonly #save: (heard: HeardOutput) => Promise<void>;
  #heard: Buffer = Buffer.alloc(0);
  #isSaved = true;
  #isOver = false;
  #cancel: (() => void) | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(clock: AlarmClock, save: (heard: HeardOutput) => Promise<void>) {
    this.#clock = clock;
    this.#save = save;
  }

  hear(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isOver) return;
    this.#heard = Buffer.concat([this.#heard, bytes]).subarray(-KEPT_BYTES);
    this.#isSaved = false;
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#cancel ??= this.#clock.after(SAVE_EVERY_MS, () => {
      this.#saving = this.#saveNow();
    });
  }

  async #saveNow(): Promise<void> {
    if (this.#isOver) return;
    const heard = this.#take();
    // What cannot be saved now is saved with the step, or not at all: it is for people to read.
    if (heard) await this.#save(heard).catch(() => {});
    // Not before: one that takes long must not overwrite what came after it.
    this.#cancel = undefined;
    if (!this.#isSaved && !this.#isOver) this.#saveSoon();
  }

  /** The step is over: what is not saved yet. */
  async end(): Promise<HeardOutput | undefined> {
    this.#isOver = true;
    this.#cancel?.();
    await this.#saving;
    return this.#take();
  }

  #take(): HeardOutput | undefined {
    if (this.#isSaved) return undefined;
    this.#isSaved = true;
    const output = harmlessText(this.#heard);
    const lines = output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
    return { output, lastLines: lines.slice(-LAST_LINES_LENGTH).toWellFormed() };
  }
}
