// Lines that stay in their place at the end of a terminal. What must hold: only what has changed is written, in one piece, so that
// nothing flickers; whatever happens, `end` leaves the cursor seen and below what was drawn.

import type { Terminal } from './terminal.ts';

const ESC = '\u001b[';
const HIDE_CURSOR = `${ESC}?25l`;
const SHOW_CURSOR = `${ESC}?25h`;
/** Letters that are wider than others would make a line longer than it was counted: it is cut at the edge, not wrapped. */
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
    // Where the lines are after a change of size depends on the terminal: it begins anew.
    const isResized = this.#size !== undefined && this.#size !== size;
    const previous = isResized ? [] : this.#rendered;
    const isFirst = this.#size === undefined;
    if (!isFirst && !isResized && isEqual(previous, lines)) return;
    const moveUp = previous.length > 0 ? `${ESC}${previous.length}A` : '';
    const text = lines
      .map((line, index) => (line === previous[index] ? '\n' : `${line}${ERASE_REST_OF_LINE}\n`))
      .join('');
    const start = isFirst ? HIDE_CURSOR : '';
    this.#terminal.writeOut(
      `${start}${isResized ? CLEAR : ''}${WRAP_OFF}\r${moveUp}${text}${ERASE_BELOW}${WRAP_ON}`,
    );
    [this.#rendered, this.#size] = [lines, size];
  }

  close(): void {
    if (this.#size === undefined) return;
    // Ctrl-C may have left its own sign there.
    this.#terminal.writeOut(`\r${ERASE_BELOW}${SHOW_CURSOR}`);
    [this.#rendered, this.#size] = [[], undefined];
  }
}

const isEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, index) => line === b[index]);

const CLEAR_LINE = '\r\u001b[K';

/** How far something has come that takes long: one line that is written over in a terminal; elsewhere a line for each thing that was done. */
export class ProgressLine {
  readonly #terminal: Pick<Terminal, 'isStderrTty' | 'columns' | 'writeErr'>;
  #isVisible = false;

  constructor(terminal: Pick<Terminal, 'isStderrTty' | 'columns' | 'writeErr'>) {
    this.#terminal = terminal;
  }

  /** `happened` is what was done; left out: only `soFar` has changed. */
  update({ status, logLine }: { readonly status: string; readonly logLine?: string }): void {
    const { isStderrTty, columns } = this.#terminal;
    if (!isStderrTty) {
      if (logLine !== undefined) this.#terminal.writeErr(`${logLine}\n`);
      return;
    }
    // A line that fills the terminal would go on in the next.
    this.#terminal.writeErr(`${CLEAR_LINE}${status.slice(0, columns - 1)}`);
    this.#isVisible = true;
  }

  /** Takes the line away, so that something else can be said. */
  clear(): void {
    if (this.#isVisible) this.#terminal.writeErr(CLEAR_LINE);
    this.#isVisible = false;
  }
}
