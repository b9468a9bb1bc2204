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
  /** A sentence, which has a line of its own below its row where the terminal is narrow. */
  readonly isSentence?: true;
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
/** A sentence with less room than this says nothing. */
const NARROWEST_SENTENCE = 24;
const INDENT = '    ';

const lengthOf = (text: string) => [...text].length;

function cut(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, width - 1).join('')}…`;
}

const totalOf = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);

/** Takes from the widest until all fits, or each has come to its least. */
function narrow(wanted: readonly number[], least: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  for (let over = totalOf(widths) - room; over > 0; over -= 1) {
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

interface Laid<Row> {
  readonly column: Column<Row>;
  /** One for each row. */
  readonly texts: readonly string[];
  readonly width: number;
}

function layOut<Row>(rows: readonly Row[], column: Column<Row>): Laid<Row> {
  const texts = rows.map(row => harmless(column.of(row), LONGEST_SENTENCE));
  return { column, texts, width: Math.max(lengthOf(column.header), ...texts.map(lengthOf)) };
}

/** Whether there is too little room for it beside the others. */
function goesBelow<Row>({ column, width }: Laid<Row>, total: number, room: number | undefined): boolean {
  if (!column.isSentence || room === undefined) return false;
  return total - Math.max(0, width - NARROWEST_SENTENCE) > room;
}

/** A table as text, each line with its end. Nothing is cut where nobody looks at a terminal. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columns: room, isWide, paint }: TableOptions,
): string {
  const shown = columns.filter(column => isWide || !column.isWide).map(column => layOut(rows, column));
  const total = totalOf(shown.map(({ width }) => width));
  const below = shown.filter(laid => goesBelow(laid, total, room));
  const beside = shown.filter(laid => !below.includes(laid));
  const wanted = beside.map(({ width }) => width);
  const isCuttable = beside.map(({ column }) => column.isCuttable === true);
  const widths = room === undefined ? wanted : fitWidths(wanted, isCuttable, room);
  const fill = (text: string, index: number) => {
    const width = widths[index] ?? 0;
    const fitted = room === undefined ? text : cut(text, width);
    const space = ' '.repeat(Math.max(0, width - lengthOf(fitted)));
    if (beside[index]?.column.isRight) return space + fitted;
    return index === beside.length - 1 ? fitted : fitted + space;
  };
  const head = beside.map(({ column }, index) => paint(fill(column.header, index), 'quiet')).join(GAP);
  const linesOf = (row: Row, at: number) => [
    beside
      .map(({ column, texts }, index) => paint(fill(texts[at] ?? '', index), column.style?.(row)))
      .join(GAP),
    ...below
      .filter(({ texts }) => texts[at] !== '')
      .map(({ column, texts }) =>
        paint(cut(INDENT + texts[at], room ?? Number.POSITIVE_INFINITY), column.style?.(row)),
      ),
  ];
  return [head, ...rows.flatMap(linesOf)].map(line => `${line.trimEnd()}\n`).join('');
}
