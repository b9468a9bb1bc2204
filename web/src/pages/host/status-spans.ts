import { timeOf } from '#client/times.ts';
import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';

/** An entry of the log about a change of a status. */
export interface StatusChange {
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface HostSpan {
  readonly from: number;
  readonly to: number;
  readonly word: HostStatus;
}

const wordOf = (value: unknown) => HOST_STATUSES.find(word => word === value);

/**
 * Which status a host had when, oldest first, from its changes, newest first. `sinceMs`: nothing is known of the time before. What is
 * now has the last word.
 */
export function statusSpans(
  changes: readonly StatusChange[],
  { now, sinceMs, nowMs }: { readonly now: HostStatus; readonly sinceMs: number; readonly nowMs: number },
): readonly HostSpan[] {
  const spans: HostSpan[] = [];
  let [endMs, word]: [number, HostStatus | undefined] = [nowMs, now];
  for (const { at, data } of changes) {
    const atMs = Math.max(timeOf(at), sinceMs);
    if (word !== undefined && endMs > atMs) spans.push({ from: atMs, to: endMs, word });
    [endMs, word] = [Math.min(endMs, atMs), wordOf(data['from'])];
    if (timeOf(at) <= sinceMs) break;
  }
  if (word !== undefined && endMs > sinceMs) spans.push({ from: sinceMs, to: endMs, word });
  return spans.reverse();
}
