import { sanitizeText } from '../../lib/sanitize.ts';
import type { TimerClock } from '../../lib/time/clock.ts';

/** Of the end of what a step says this much is kept. */
const MAX_STEP_OUTPUT_BYTES = 65_536;
/** What everybody sees at a glance. */
const LAST_LINES = 5;
const MAX_LAST_LINES_LENGTH = 1000;
/** People who watch see it so soon; the store is not asked more often. */
const SAVE_INTERVAL_MS = 1000;

export interface CapturedOutput {
  readonly output: string;
  readonly lastLines: string;
}

/** What is said on a host while a step runs: its end is kept, and saved now and then meanwhile. */
export class StepOutput {
  readonly #clock: TimerClock;
  readonly #save: (captured: CapturedOutput) => Promise<void>;
  #buffer: Buffer = Buffer.alloc(0);
  #isSaved = true;
  #hasEnded = false;
  #cancel: (() => void) | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(clock: TimerClock, save: (captured: CapturedOutput) => Promise<void>) {
    this.#clock = clock;
    this.#save = save;
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#hasEnded) return;
    this.#buffer = Buffer.concat([this.#buffer, bytes]).subarray(-MAX_STEP_OUTPUT_BYTES);
    this.#isSaved = false;
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#cancel ??= this.#clock.setTimer(SAVE_INTERVAL_MS, () => {
      this.#saving = this.#saveNow();
    });
  }

  async #saveNow(): Promise<void> {
    if (this.#hasEnded) return;
    const captured = this.#takeUnsaved();
    // What cannot be saved now is saved with the step, or not at all: it is for people to read.
    if (captured) await this.#save(captured).catch(() => {});
    // Not before: one that takes long must not overwrite what came after it.
    this.#cancel = undefined;
    if (!this.#isSaved && !this.#hasEnded) this.#saveSoon();
  }

  /** The step is over: what is not saved yet. */
  async end(): Promise<CapturedOutput | undefined> {
    this.#hasEnded = true;
    this.#cancel?.();
    await this.#saving;
    return this.#takeUnsaved();
  }

  #takeUnsaved(): CapturedOutput | undefined {
    if (this.#isSaved) return undefined;
    this.#isSaved = true;
    const output = sanitizeText(this.#buffer);
    const lines = output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
    return { output, lastLines: lines.slice(-MAX_LAST_LINES_LENGTH).toWellFormed() };
  }
}
