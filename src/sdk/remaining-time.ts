import type { HostProgress } from './host-progress.ts';
import { getPhaseGroup } from './host-progress.ts';

const MIN_SAMPLES = 2;
/** Uses only the newest hosts, because canaries and a ramp are slower than the rest. */
const MAX_SAMPLES = 20;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The length of the union of the spans between two times. It excludes pauses, in which no host is in flight. */
export function unionLengthMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  let [lengthMs, positionMs] = [0, fromMs];
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const [startMs, endMs] = [Math.max(span.fromMs, positionMs), Math.min(span.toMs, toMs)];
    if (endMs <= startMs) continue;
    lengthMs += endMs - startMs;
    positionMs = endMs;
  }
  return lengthMs;
}

function insertNewest(newest: Span[], span: Span): void {
  const index = newest.findLastIndex(({ toMs }) => toMs <= span.toMs) + 1;
  newest.splice(index, 0, span);
  // Keeps one more: its end is the start of the measured period.
  if (newest.length > MAX_SAMPLES + 1) newest.shift();
}

/**
 * Estimates the remaining time from the throughput so far; `undefined` before there is one. A slow host in
 * flight cannot lower the estimate below the time that the waiting hosts need.
 */
export function estimateRemainingMs(hosts: Iterable<HostProgress>, nowMs: number): number | undefined {
  const [ended, active]: [Span[], Span[]] = [[], []];
  let remaining = 0;
  for (const host of hosts) {
    const { state, inFlightSinceMs, sinceMs } = host;
    const group = getPhaseGroup(host);
    if (group !== 'ended') remaining += 1;
    if (group === 'in_flight') active.push({ fromMs: inFlightSinceMs ?? nowMs, toMs: nowMs });
    if (state !== 'skipped' && group === 'ended' && inFlightSinceMs !== undefined && sinceMs !== undefined)
      insertNewest(ended, { fromMs: inFlightSinceMs, toMs: sinceMs });
  }
  const previous = ended.length > MAX_SAMPLES ? ended.shift() : undefined;
  const last = ended.at(-1);
  if (ended.length < MIN_SAMPLES || last === undefined || remaining === 0) return undefined;
  const busyMs = unionLengthMs([...ended, ...active], previous?.toMs ?? Number.NEGATIVE_INFINITY, last.toMs);
  const perHostMs = busyMs / ended.length;
  const elapsedMs = unionLengthMs(active, last.toMs, nowMs);
  return Math.max(remaining * perHostMs - elapsedMs, (remaining - Math.max(1, active.length)) * perHostMs);
}
