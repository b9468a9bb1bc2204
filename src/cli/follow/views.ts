// The two ways to see progress: in place for somebody at a terminal, line by line for a file or a pipe.

import type { Progress } from '../../client/operation-progress.ts';
import { utcTime } from '../../client/times.ts';
import { Screen } from '../output/screen.ts';
import { paintIf } from '../output/style.ts';
import type { Terminal } from '../terminal.ts';
import { notesOf } from './notes.ts';
import { picture } from './picture.ts';
import { NO_SERVER_RESPONDS, TELL_SILENCE_AFTER_MS } from './silence.ts';

export interface View {
  show(progress: Progress): void;
  end(): void;
}

/** Times in it go on. */
const DRAW_EVERY_MS = 1000;
/** Many things may happen at once; people do not read faster. */
const DRAW_AFTER_MS = 100;

export class LiveView implements View {
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  #progress: Progress | undefined;
  #callOff = () => {};
  #isDue = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#screen = new Screen(terminal);
  }

  show(progress: Progress): void {
    const isFirst = this.#progress === undefined;
    this.#progress = progress;
    if (isFirst) this.#draw();
    else if (!this.#isDue) {
      this.#isDue = true;
      this.#drawAfter(DRAW_AFTER_MS);
    }
  }

  end(): void {
    this.#draw();
    this.#callOff();
    this.#screen.end();
  }

  #drawAfter(ms: number): void {
    this.#callOff();
    this.#callOff = this.#terminal.clock.after(ms, () => this.#draw());
  }

  #draw(): void {
    if (this.#progress === undefined) return;
    const { columns, rows, hasColour, clock } = this.#terminal;
    this.#isDue = false;
    const nowMs = clock.now() + this.#progress.aheadMs;
    // Behind a letter in the last column the cursor stays on it, and what erases the rest of the line would take it away.
    const room = { columns: columns - 1, rows, paint: paintIf(hasColour) };
    this.#screen.draw(picture(this.#progress, nowMs, room));
    this.#drawAfter(DRAW_EVERY_MS);
  }
}

export class LogView implements View {
  readonly #terminal: Terminal;
  readonly #write: (text: string) => void;
  #before: Progress | undefined;
  #callOff = () => {};
  #isSilenceTold = false;

  constructor(terminal: Terminal, write: (text: string) => void) {
    [this.#terminal, this.#write] = [terminal, write];
  }

  show(progress: Progress): void {
    const nowMs = this.#nowMs(progress);
    this.#tellSilence(progress, nowMs);
    for (const { atMs, text } of notesOf(this.#before, progress, nowMs)) this.#note(atMs, text);
    this.#before = progress;
  }

  end(): void {
    this.#callOff();
  }

  #nowMs = ({ aheadMs }: Progress) => this.#terminal.clock.now() + aheadMs;

  #note(atMs: number, text: string): void {
    this.#write(`${utcTime(new Date(atMs).toISOString())}  ${text}\n`);
  }

  #tellSilence(progress: Progress, nowMs: number): void {
    this.#callOff();
    if (progress.silentSinceMs === undefined) {
      if (this.#isSilenceTold) this.#note(nowMs, 'a server responds again');
      this.#isSilenceTold = false;
      return;
    }
    const tell = () => {
      if (this.#isSilenceTold) return;
      this.#isSilenceTold = true;
      this.#note(this.#nowMs(progress), NO_SERVER_RESPONDS);
    };
    const dueMs = progress.silentSinceMs + TELL_SILENCE_AFTER_MS - nowMs;
    this.#callOff = this.#terminal.clock.after(Math.max(0, dueMs), tell);
  }
}
