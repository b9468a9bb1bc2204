// Updates lines in place at the end of a terminal. Invariants: only changed lines are written, in a single
// write to avoid flicker, and `close` always leaves a visible cursor below the lines.

import type { Terminal } from './terminal.ts';

const ESC = '\u001b[';
const HIDE_CURSOR = `${ESC}?25l`;
const SHOW_CURSOR = `${ESC}?25h`;
/** Wide characters can make a line too long. The terminal then truncates it instead of wrapping it. */
const WRAP_OFF = `${ESC}?7l`;
const WRAP_ON = `${ESC}?7h`;
const ERASE_REST_OF_LINE = `${ESC}K`;
const ERASE_BELOW = `${ESC}J`;
const CLEAR = `${ESC}H${ESC}2J`;

export class Screen {
  readonly #terminal: Pick<Terminal, 'columns' | 'rows' | 'writeOut'>;
  #rendered: readonly string[] = [];
  #size: string | undefined;

  constructor(terminal: Pick<Terminal, 'columns' | 'rows' | 'writeOut'>) {
    this.#terminal = terminal;
  }

  render(lines: readonly string[]): void {
    const { columns, rows } = this.#terminal;
    const size = `${columns}x${rows}`;
    // The position of the lines after a resize depends on the terminal, so the screen is cleared.
    const isResized = this.#size !== undefined && this.#size !== size;
    const previous = isResized ? [] : this.#rendered;
    const isFirst = this.#size === undefined;
    if (!isFirst && !isResized && isEqual(previous, lines)) return;
    const moveUp = previous.length > 0 ? `${ESC}${previous.length}A` : '';
    const text = lines
      .map((line, index) => (line === previous[index] ? '\n' : `${line}${ERASE_REST_OF_LINE}\n`))
      .join('');
    const start = isFirst ? HIDE_CURSOR : '';
    this.#terminal.writeOut(`${start}${isResized ? CLEAR : ''}${WRAP_OFF}\r${moveUp}${text}${ERASE_BELOW}${WRAP_ON}`);
    [this.#rendered, this.#size] = [lines, size];
  }

  close(): void {
    if (this.#size === undefined) return;
    // The terminal can have echoed ^C.
    this.#terminal.writeOut(`\r${ERASE_BELOW}${SHOW_CURSOR}`);
    [this.#rendered, this.#size] = [[], undefined];
  }
}

const isEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, index) => line === b[index]);

const CLEAR_LINE = '\r\u001b[K';

/** One line that is updated in place on a terminal, otherwise one line per completed item. */
export class ProgressLine {
  readonly #terminal: Pick<Terminal, 'isStderrTty' | 'columns' | 'writeErr'>;
  #isVisible = false;

  constructor(terminal: Pick<Terminal, 'isStderrTty' | 'columns' | 'writeErr'>) {
    this.#terminal = terminal;
  }

  /** `logLine` describes the completed item; without it only `status` has changed. */
  update({ status, logLine }: { readonly status: string; readonly logLine?: string }): void {
    const { isStderrTty, columns } = this.#terminal;
    if (!isStderrTty) {
      if (logLine !== undefined) this.#terminal.writeErr(`${logLine}\n`);
      return;
    }
    // A line of the full width would wrap.
    this.#terminal.writeErr(`${CLEAR_LINE}${status.slice(0, columns - 1)}`);
    this.#isVisible = true;
  }

  clear(): void {
    if (this.#isVisible) this.#terminal.writeErr(CLEAR_LINE);
    this.#isVisible = false;
  }
}
