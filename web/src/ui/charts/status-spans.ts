import type { AnyStatus, Severity } from '#sdk/status-severity.ts';
import { getSeverity } from '#sdk/status-severity.ts';

/** A change of a status: when, and from what. `undefined`: a word that is not known here. */
export interface StatusChange<Status> {
  readonly atMs: number;
  readonly from: Status | undefined;
}

/** In milliseconds since 1970. */
interface Span<Status> {
  readonly from: number;
  readonly to: number;
  readonly status: Status;
}

interface SpanOptions<Status> {
  readonly current: Status;
  /** Nothing is shown of the time before. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Which status something had when, oldest first, from its changes, newest first. What is now has the last word. */
export function statusSpans<Status>(
  changes: readonly StatusChange<Status>[],
  { current, sinceMs, nowMs }: SpanOptions<Status>,
): readonly Span<Status>[] {
  const spans: Span<Status>[] = [];
  let [endMs, status]: [number, Status | undefined] = [nowMs, current];
  for (const change of changes) {
    const atMs = Math.max(change.atMs, sinceMs);
    if (status !== undefined && endMs > atMs) spans.push({ from: atMs, to: endMs, status });
    [endMs, status] = [Math.min(endMs, atMs), change.from];
    if (change.atMs <= sinceMs) break;
  }
  if (status !== undefined && endMs > sinceMs) spans.push({ from: sinceMs, to: endMs, status });
  return spans.reverse();
}

/** What happens after another status of the same tone, and is told from it by stripes. */
const STRIPED_STATUSES: ReadonlySet<AnyStatus> = new Set(['bootstrapping']);

interface SpanStyle {
  readonly 'data-severity': Severity;
  readonly 'data-striped': boolean;
}

/** How a span of a status looks, and its sign in the legend: no two statuses of one thing look the same. */
export const spanStyle = (status: AnyStatus): SpanStyle => ({
  'data-severity': getSeverity(status),
  'data-striped': STRIPED_STATUSES.has(status),
});
