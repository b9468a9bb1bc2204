// Lines that stay in their place at the end of a terminal. What must hold: only what has changed is written, in one piece, so that
// nothing flickers; whatever happens, `end` leaves the cursor seen and below what was drawn.

import type { Terminal } from '../terminal.ts';

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
  readonly #terminal: Pick<Terminal, 'columns' | 'rows' | 'write'>;
  #drawn: readonly string[] = [];
  #size: string | undefined;

  constructor(terminal: Pick<Terminal, 'columns' | 'rows' | 'write'>) {
    this.#terminal = terminal;
  }

  draw(lines: readonly string[]): void {
    const { columns, rows } = this.#terminal;
    const size = `${columns}x${rows}`;
    // Where the lines are after a change of size depends on the terminal: it begins anew.
    const isMoved = this.#size !== undefined && this.#size !== size;
    const before = isMoved ? [] : this.#drawn;
    const isFirst = this.#size === undefined;
    if (!isFirst && !isMoved && isSame(before, lines)) return;
    const up = before.length > 0 ? `${ESC}${before.length}A` : '';
    const text = lines
      .map((line, index) => (line === before[index] ? '\n' : `${line}${ERASE_REST_OF_LINE}\n`))
      .join('');
    const start = isFirst ? HIDE_CURSOR : '';
    this.#terminal.write(`${start}${isMoved ? CLEAR : ''}${WRAP_OFF}\r${up}${text}${ERASE_BELOW}${WRAP_ON}`);
    [this.#drawn, this.#size] = [lines, size];
  }

  end(): void {
    if (this.#size === undefined) return;
    // Ctrl-C may have left its own sign there.
    this.#terminal.write(`\r${ERASE_BELOW}${SHOW_CURSOR}`);
    [this.#drawn, this.#size] = [[], undefined];
  }
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, index) => line === b[index]);
