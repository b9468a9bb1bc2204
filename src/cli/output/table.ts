import { harmless, LONGEST_SENTENCE } from '../../lib/text/harmless.ts';
import type { Paint, Style } from './style.ts';

export interface Column<Row> {
  readonly header: string;
  readonly of: (row: Row) => string;
  readonly style?: (row: Row) => Style | undefined;
  readonly isRight?: true;
  /** Only with `-o wide`. */
  readonly isWide?: true;
  /** May be cut where the terminal is narrow. */
  readonly isCuttable?: true;
}

export interface TableOptions {
  /** `undefined`: as wide as it is. */
  readonly columns: number | undefined;
  readonly isWide: boolean;
  readonly paint: Paint;
}

const GAP = '  ';
const NARROWEST = 8;
const NARROWEST_OF_ALL = 3;

const lengthOf = (text: string) => [...text].length;

function cut(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, width - 1).join('')}…`;
}

/** Takes from the widest until all fits, or each has come to its least. */
function narrow(wanted: readonly number[], least: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  for (let over = total - room; over > 0; over -= 1) {
    const candidates = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0));
    const widest = candidates.indexOf(Math.max(...candidates));
    if (!candidates[widest]) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** What may be cut goes first; in a very narrow terminal all but the first column, by which things are known. */
function fitWidths(
  wanted: readonly number[],
  isCuttable: readonly boolean[],
  room: number,
): readonly number[] {
  const leastFirst = wanted.map((width, index) => (isCuttable[index] ? Math.min(width, NARROWEST) : width));
  const widths = narrow(wanted, leastFirst, room);
  return narrow(
    widths,
    widths.map((width, index) => (index === 0 ? width : Math.min(width, NARROWEST_OF_ALL))),
    room,
  );
}

/** A table as text, each line with its end. Nothing is cut where nobody looks at a terminal. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columns: room, isWide, paint }: TableOptions,
): string {
  const shown = columns.filter(column => isWide || !column.isWide);
  const cells = rows.map(row => shown.map(column => harmless(column.of(row), LONGEST_SENTENCE)));
  const wanted = shown.map(({ header }, index) =>
    Math.max(lengthOf(header), ...cells.map(line => lengthOf(line[index] ?? ''))),
  );
  const isCuttable = shown.map(column => column.isCuttable === true);
  const widths = room === undefined ? wanted : fitWidths(wanted, isCuttable, room);
  const fill = (text: string, index: number) => {
    const width = widths[index] ?? 0;
    const fitted = room === undefined ? text : cut(text, width);
    const space = ' '.repeat(Math.max(0, width - lengthOf(fitted)));
    if (shown[index]?.isRight) return space + fitted;
    return index === shown.length - 1 ? fitted : fitted + space;
  };
  const head = shown.map(({ header }, index) => paint(fill(header, index), 'quiet')).join(GAP);
  const body = cells.map((line, at) =>
    line
      .map((text, index) => paint(fill(text, index), shown[index]?.style?.(rows[at] as Row)))
      .join(GAP)
      .trimEnd(),
  );
  return [head.trimEnd(), ...body].map(line => `${line}\n`).join('');
}
