import type { HostProgress } from './host-progress.ts';
import { getPhaseGroup } from './host-progress.ts';

/** A pace is known when this many have come to their end. */
const MIN_SAMPLES = 2;
/** Only the newest count: canaries and a ramp are slower than what comes after them. */
const MAX_SAMPLES = 20;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How long at least one of them lasted, between two times. Pauses, in which nothing is in flight, are left out by that. */
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

/** One that has ended, at its place among the newest; the oldest goes. */
function insertNewest(newest: Span[], span: Span): void {
  const index = newest.findLastIndex(({ toMs }) => toMs <= span.toMs) + 1;
  newest.splice(index, 0, span);
  // One more is kept: where it ended, the others began.
  if (newest.length > MAX_SAMPLES + 1) newest.shift();
}

/**
 * How long the rest will take at the pace so far; `undefined` while there is none. One that is late makes the rest no shorter: it is as
 * long as those will take that come after the ones in flight.
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
