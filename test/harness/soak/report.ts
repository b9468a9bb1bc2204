import type { Judged } from './verdict.ts';
import type { WorkPerHour } from './work-per-hour.ts';

const HEADINGS = ['what', 'at first', 'at last', 'per hour', 'surely between', 'limit', 'verdict'];
const BYTES_PER_MIB = 1024 ** 2;

function short(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 1 ? 1 : 2;
  const text = value.toFixed(digits);
  return text === '-0' || text === '-0.0' || text === '-0.00' ? '0' : text;
}

const cells = (judged: Judged): readonly string[] => [
  judged.unit ? `${judged.what}, ${judged.unit}` : judged.what,
  ...[judged.first, judged.last, judged.perHour].map(short),
  `${short(judged.atLeastPerHour)} … ${short(judged.atMostPerHour)}`,
  short(judged.limitPerHour),
  judged.verdict,
];

/** Tables that have nothing, or one row, all the time are not worth a line. */
const isShown = ({ what, verdict, first, last, perHour }: Judged) =>
  !what.startsWith('rows: ') || verdict !== 'flat' || first !== last || perHour !== 0 || first > 1;

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

const HEAP = 'heap after a collection';

/** What a leak would have to lose with each piece of work to be told from none by this run. */
export function reportSight(all: readonly Judged[], { servers, requests, checks }: WorkPerHour): string {
  const widths = all
    .filter(({ what }) => what.endsWith(HEAP))
    .map(({ atLeastPerHour, atMostPerHour }) => (atMostPerHour - atLeastPerHour) / 2);
  const bytesPerHour = Math.max(...widths) * BYTES_PER_MIB * servers;
  if (!Number.isFinite(bytesPerHour)) return 'This run is too short to see any leak on the heap.';
  const each = (perHour: number) => (perHour > 0 ? Math.ceil(bytesPerHour / perHour) : 'any number of');
  const pace = [requests, checks].map(perHour => short(Math.round(perHour)));
  return [
    `On the heap this run sees a leak from ${each(requests)} bytes with each request of callers on, or`,
    `${each(checks)} bytes with each check of a host (${pace[0]} and ${pace[1]} per hour, at ${servers} servers).`,
  ].join(' ');
}

export function reportVerdicts(all: readonly Judged[]): string {
  const named = (wanted: Judged['verdict']) =>
    all.filter(({ verdict }) => verdict === wanted).map(({ what }) => what);
  const [growing, unknown] = [named('grows'), named('unknown')];
  if (growing.length + unknown.length === 0) return 'Nothing grows.';
  return [
    ...(growing.length > 0 ? [`Not flat: ${growing.join('; ')}.`] : []),
    ...(unknown.length > 0 ? [`Not known, and more --minutes would tell: ${unknown.join('; ')}.`] : []),
  ].join('\n');
}

const MOST_LOSSES = 20;

export function reportLosses(losses: readonly string[]): string {
  if (losses.length === 0) return 'Nothing was lost.';
  const more = losses.length > MOST_LOSSES ? [`and ${losses.length - MOST_LOSSES} more`] : [];
  return [`Not as it must be, ${losses.length} times:`, ...losses.slice(0, MOST_LOSSES), ...more].join(
    '\n  ',
  );
}
