import type { Judgement, WorkPerHour } from './growth-verdict.ts';

const HEADINGS = ['metric', 'first', 'last', 'per hour', '99 % interval', 'limit', 'verdict'];
const BYTES_PER_MIB = 1024 ** 2;

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 1 ? 1 : 2;
  const text = value.toFixed(digits);
  return text === '-0' || text === '-0.0' || text === '-0.00' ? '0' : text;
}

const toCells = (judgement: Judgement): readonly string[] => [
  judgement.unit ? `${judgement.what}, ${judgement.unit}` : judgement.what,
  ...[judgement.first, judgement.last, judgement.perHour].map(formatNumber),
  `${formatNumber(judgement.atLeastPerHour)} … ${formatNumber(judgement.atMostPerHour)}`,
  formatNumber(judgement.limitPerHour),
  judgement.verdict,
];

/** Hides constant tables with at most one row. */
const isVisible = ({ what, verdict, first, last, perHour }: Judgement) =>
  !what.startsWith('rows: ') || verdict !== 'flat' || first !== last || perHour !== 0 || first > 1;

export function formatTable(judgements: readonly Judgement[]): string {
  const rows = [HEADINGS, ...judgements.filter(isVisible).map(toCells)];
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

/** The smallest leak per unit of work that this run can detect. */
export function formatDetectableLeak(
  judgements: readonly Judgement[],
  { servers, requests, checks }: WorkPerHour,
): string {
  const widths = judgements
    .filter(({ what }) => what.endsWith(HEAP))
    .map(({ atLeastPerHour, atMostPerHour }) => (atMostPerHour - atLeastPerHour) / 2);
  const bytesPerHour = Math.max(...widths) * BYTES_PER_MIB * servers;
  if (!Number.isFinite(bytesPerHour)) return 'This run is too short to detect a heap leak.';
  const bytesPer = (perHour: number) => (perHour > 0 ? Math.ceil(bytesPerHour / perHour) : '?');
  const rates = [requests, checks].map(perHour => formatNumber(Math.round(perHour)));
  return [
    `This run detects heap leaks of at least ${bytesPer(requests)} bytes per request, or ${bytesPer(checks)} bytes per`,
    `health check (${rates[0]} requests and ${rates[1]} health checks per hour, ${servers} servers).`,
  ].join(' ');
}

export function formatVerdicts(judgements: readonly Judgement[]): string {
  const listNames = (verdictKind: Judgement['verdict']) =>
    judgements.filter(({ verdict }) => verdict === verdictKind).map(({ what }) => what);
  const [growing, unknown] = [listNames('grows'), listNames('unknown')];
  if (growing.length + unknown.length === 0) return 'Nothing grows.';
  return [
    ...(growing.length > 0 ? [`Not flat: ${growing.join('; ')}.`] : []),
    ...(unknown.length > 0 ? [`Unknown; increase --minutes: ${unknown.join('; ')}.`] : []),
  ].join('\n');
}

const MAX_LOSSES = 20;

export function formatLosses(losses: readonly string[]): string {
  if (losses.length === 0) return 'Nothing was lost.';
  const more = losses.length > MAX_LOSSES ? [`and ${losses.length - MAX_LOSSES} more`] : [];
  return [`${losses.length} violations:`, ...losses.slice(0, MAX_LOSSES), ...more].join('\n  ');
}
