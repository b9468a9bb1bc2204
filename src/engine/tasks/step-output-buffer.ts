import { sanitizeText } from '../../lib/sanitize.ts';
import type { TimerClock } from '../../lib/time/clock.ts';

const MAX_STEP_OUTPUT_BYTES = 65_536;
/** Shown in the summary of a host. */
const LAST_LINES = 5;
const MAX_LAST_LINES_LENGTH = 1000;
/** Limits the delay of live views and the number of writes to the store. */
const SAVE_INTERVAL_MS = 1000;

export interface CapturedOutput {
  readonly output: string;
  readonly lastLines: string;
}

export class StepOutputBuffer {
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
    // A failed save is repeated later, at the latest with the outcome of the step.
    if (captured)
      await this.#save(captured).catch(() => {
        this.#isSaved = false;
      });
    // Reset only after the save, so that a slow save cannot overwrite a later one.
    this.#cancel = undefined;
    if (!this.#isSaved && !this.#hasEnded) this.#saveSoon();
  }

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
