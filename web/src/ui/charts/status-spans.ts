import type { AnyStatus } from '#sdk/status-severity.ts';
import { getSeverity } from '#sdk/status-severity.ts';

/** `from` is the previous status, or undefined if it is unknown. */
export interface StatusChange<Status> {
  readonly atMs: number;
  readonly from: Status | undefined;
}

/** Times in milliseconds since 1970. */
export interface Span<Status> {
  readonly from: number;
  readonly to: number;
  readonly status: Status;
}

/** Returns the spans oldest first, from changes that are newest first. `current` determines the last span. */
export function statusSpans<Status>(
  changes: readonly StatusChange<Status>[],
  { current, sinceMs, nowMs }: { readonly current: Status; readonly sinceMs: number; readonly nowMs: number },
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

/** Style of a span and of its legend entry. All statuses of one resource look different. */
export const spanStyle = (status: AnyStatus) => ({
  'data-severity': getSeverity(status),
  // Follows `investigating`, which has the same severity.
  'data-striped': status === 'bootstrapping',
});
