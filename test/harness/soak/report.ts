import type { Judged } from './verdict.ts';

const HEADINGS = ['what', 'at first', 'at last', 'per hour', 'likely between', 'per day', 'limit', 'verdict'];

function short(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 1 ? 1 : 2;
  const text = value.toFixed(digits);
  return text === '-0' || text === '-0.0' || text === '-0.00' ? '0' : text;
}

const cells = (judged: Judged): readonly string[] => [
  judged.unit ? `${judged.what}, ${judged.unit}` : judged.what,
  ...[judged.first, judged.last, judged.perHour].map(short),
  `${short(judged.atLeastPerHour)} … ${short(judged.atMostPerHour)}`,
  ...[judged.perDay, judged.limitPerDay].map(short),
  judged.verdict,
];

/** Tables that have nothing, or one row, all the time are not worth a line. */
const isShown = ({ what, verdict, first, last, perHour }: Judged) =>
  !what.startsWith('rows: ') || verdict === 'grows' || first !== last || perHour !== 0 || first > 1;

export function reportTable(all: readonly Judged[]): string {
  const rows = [HEADINGS, ...all.filter(isShown).map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows
    .map(row =>
      row
        .map((cell, column) =>
          column === 0 || column === HEADINGS.length - 1
            ? cell.padEnd(widths[column] ?? 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const MOST_LOSSES = 20;

export function reportLosses(losses: readonly string[]): string {
  if (losses.length === 0) return 'Nothing was lost.';
  const more = losses.length > MOST_LOSSES ? [`and ${losses.length - MOST_LOSSES} more`] : [];
  return [`Not as it must be, ${losses.length} times:`, ...losses.slice(0, MOST_LOSSES), ...more].join(
    '\n  ',
  );
}
