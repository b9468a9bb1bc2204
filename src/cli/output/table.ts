import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import type { Colorize, Style } from './format.ts';

export interface Column<Row> {
  readonly header: string;
  readonly value: (row: Row) => string;
  /** Sorts rows by this instead of the text. */
  readonly sortKey?: (row: Row) => string | number;
  readonly style?: (row: Row) => Style | undefined;
  readonly isRightAligned?: true;
  readonly isWideOnly?: true;
  /** Can be truncated on a narrow terminal. */
  readonly isTruncatable?: true;
  /** Moves to its own line below the row on a narrow terminal. */
  readonly canWrapBelow?: true;
}

export interface TableOptions {
  readonly maxWidth: number | undefined;
  readonly isWide: boolean;
  readonly colorize: Colorize;
}

const GAP = '  ';
const MIN_WIDTH = 8;
const ABSOLUTE_MIN_WIDTH = 3;
/** A shorter sentence would not be readable. */
const MIN_INLINE_TEXT_WIDTH = 24;
const INDENT = '    ';

const countCharacters = (text: string) => [...text].length;

function truncate(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}

const sumWidths = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);

/** Shrinks the widest column until the table fits or all columns have their minimum width. */
function shrink(desired: readonly number[], minimums: readonly number[], maxWidth: number): readonly number[] {
  const widths = [...desired];
  for (let excess = sumWidths(widths) - maxWidth; excess > 0; excess -= 1) {
    const candidates = widths.map((width, index) => (width > (minimums[index] ?? 0) ? width : 0));
    const widest = candidates.indexOf(Math.max(...candidates));
    if (!candidates[widest]) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Shrinks truncatable columns first and then all except the first, which identifies the row. */
function fitWidths(desired: readonly number[], isTruncatable: readonly boolean[], maxWidth: number): readonly number[] {
  const minimums = desired.map((width, index) => (isTruncatable[index] ? Math.min(width, MIN_WIDTH) : width));
  const widths = shrink(desired, minimums, maxWidth);
  return shrink(
    widths,
    widths.map((width, index) => (index === 0 ? width : Math.min(width, ABSOLUTE_MIN_WIDTH))),
    maxWidth,
  );
}

function measureColumn<Row>(rows: readonly Row[], column: Column<Row>) {
  const texts = rows.map(row => sanitizeLine(column.value(row), MAX_MESSAGE_LENGTH));
  return { column, texts, width: Math.max(countCharacters(column.header), ...texts.map(countCharacters)) };
}

/** Truncates nothing if stdout is not a terminal. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { maxWidth, isWide, colorize }: TableOptions,
): string {
  const visible = columns.filter(column => isWide || !column.isWideOnly).map(column => measureColumn(rows, column));
  const total = sumWidths(visible.map(({ width }) => width));
  const isTooWide = (width: number) => maxWidth !== undefined && width > maxWidth;
  const ownLine = visible.filter(
    ({ column, width }) => column.canWrapBelow && isTooWide(total - Math.max(0, width - MIN_INLINE_TEXT_WIDTH)),
  );
  const inline = visible.filter(measured => !ownLine.includes(measured));
  const desired = inline.map(({ width }) => width);
  const isTruncatable = inline.map(({ column }) => column.isTruncatable === true);
  const widths = maxWidth === undefined ? desired : fitWidths(desired, isTruncatable, maxWidth);
  const pad = (text: string, index: number) => {
    const width = widths[index] ?? 0;
    const fitted = maxWidth === undefined ? text : truncate(text, width);
    const padding = ' '.repeat(Math.max(0, width - countCharacters(fitted)));
    if (inline[index]?.column.isRightAligned) return padding + fitted;
    return index === inline.length - 1 ? fitted : fitted + padding;
  };
  const head = inline.map(({ column }, index) => colorize(pad(column.header, index), 'muted')).join(GAP);
  const renderRow = (row: Row, rowIndex: number) => [
    inline
      .map(({ column, texts }, index) => colorize(pad(texts[rowIndex] ?? '', index), column.style?.(row)))
      .join(GAP),
    ...ownLine
      .filter(({ texts }) => texts[rowIndex] !== '')
      .map(({ column, texts }) =>
        colorize(truncate(INDENT + texts[rowIndex], maxWidth ?? Number.POSITIVE_INFINITY), column.style?.(row)),
      ),
  ];
  return [head, ...rows.flatMap(renderRow)].map(line => `${line.trimEnd()}\n`).join('');
}
