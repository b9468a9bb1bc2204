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

export function createScreen(terminal: Pick<Terminal, 'columns' | 'rows' | 'writeOut'>) {
  let rendered: readonly string[] = [];
  let renderedSize: string | undefined;
  return {
    render(lines: readonly string[]): void {
      const size = `${terminal.columns}x${terminal.rows}`;
      const isFirst = renderedSize === undefined;
      // The position of the lines after a resize depends on the terminal, so the screen is cleared.
      const isResized = !isFirst && renderedSize !== size;
      const previous = isResized ? [] : rendered;
      if (!isFirst && !isResized && isEqual(previous, lines)) return;
      const moveUp = previous.length > 0 ? `${ESC}${previous.length}A` : '';
      const text = lines
        .map((line, index) => (line === previous[index] ? '\n' : `${line}${ERASE_REST_OF_LINE}\n`))
        .join('');
      const start = `${isFirst ? HIDE_CURSOR : ''}${isResized ? CLEAR : ''}`;
      terminal.writeOut(`${start}${WRAP_OFF}\r${moveUp}${text}${ERASE_BELOW}${WRAP_ON}`);
      [rendered, renderedSize] = [lines, size];
    },
    close(): void {
      if (renderedSize === undefined) return;
      // The terminal can have echoed ^C.
      terminal.writeOut(`\r${ERASE_BELOW}${SHOW_CURSOR}`);
      [rendered, renderedSize] = [[], undefined];
    },
  };
}

const isEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, index) => line === b[index]);

const CLEAR_LINE = '\r\u001b[K';

/** One line that is updated in place on a terminal, otherwise one line per completed item. */
export function createProgressLine(terminal: Terminal) {
  let isVisible = false;
  return {
    /** `logLine` describes the completed item; without it only `status` has changed. */
    update({ status, logLine }: { readonly status: string; readonly logLine?: string }): void {
      if (terminal.isStderrTty) {
        // A line of the full width would wrap.
        terminal.writeErr(`${CLEAR_LINE}${status.slice(0, terminal.columns - 1)}`);
        isVisible = true;
      } else if (logLine !== undefined) terminal.writeErr(`${logLine}\n`);
    },
    clear(): void {
      if (isVisible) terminal.writeErr(CLEAR_LINE);
      isVisible = false;
    },
  };
}
