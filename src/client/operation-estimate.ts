import type { HostProgress } from './host-progress.ts';
import { partOf } from './host-progress.ts';

/** A pace is known when this many have come to their end. */
const FEWEST = 2;
/** Only the newest count: canaries and a ramp are slower than what comes after them. */
const NEWEST = 20;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How long at least one of them lasted, between two times. Pauses, in which nothing is in flight, are left out by that. */
export function coveredMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  let [covered, at] = [0, fromMs];
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const [begin, end] = [Math.max(span.fromMs, at), Math.min(span.toMs, toMs)];
    if (end <= begin) continue;
    covered += end - begin;
    at = end;
  }
  return covered;
}

/** One that has ended, at its place among the newest; the oldest goes. */
function keepNewest(newest: Span[], span: Span): void {
  const at = newest.findLastIndex(({ toMs }) => toMs <= span.toMs) + 1;
  newest.splice(at, 0, span);
  // One more is kept: where it ended, the others began.
  if (newest.length > NEWEST + 1) newest.shift();
}

/**
 * How long the rest will take at the pace so far; `undefined` while there is none. One that is late makes the rest no shorter: it is as
 * long as those will take that come after the ones in flight.
 */
export function estimateMs(hosts: Iterable<HostProgress>, nowMs: number): number | undefined {
  const [ended, under]: [Span[], Span[]] = [[], []];
  let left = 0;
  for (const host of hosts) {
    const { state, inFlightSinceMs, sinceMs } = host;
    const part = partOf(host);
    if (part !== 'ended') left += 1;
    if (part === 'in_flight') under.push({ fromMs: inFlightSinceMs ?? nowMs, toMs: nowMs });
    if (state !== 'skipped' && part === 'ended' && inFlightSinceMs !== undefined && sinceMs !== undefined)
      keepNewest(ended, { fromMs: inFlightSinceMs, toMs: sinceMs });
  }
  const before = ended.length > NEWEST ? ended.shift() : undefined;
  const last = ended.at(-1);
  if (ended.length < FEWEST || last === undefined || left === 0) return undefined;
  const busyMs = coveredMs([...ended, ...under], before?.toMs ?? Number.NEGATIVE_INFINITY, last.toMs);
  const perHostMs = busyMs / ended.length;
  const goneMs = coveredMs(under, last.toMs, nowMs);
  return Math.max(left * perHostMs - goneMs, (left - Math.max(1, under.length)) * perHostMs);
}
