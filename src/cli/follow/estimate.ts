import type { HostProgress } from './progress.ts';
import { partOf } from './progress.ts';

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

/**
 * How long the rest will take at the pace so far; `undefined` while there is none. One that is late makes the rest no shorter: it is as
 * long as those will take that come after the ones in flight.
 */
export function estimateMs(hosts: Iterable<HostProgress>, nowMs: number): number | undefined {
  const all = [...hosts];
  const inFlight = all.filter(host => partOf(host) === 'in flight');
  const left = all.filter(host => partOf(host) !== 'ended').length;
  const ended = all
    .flatMap(({ state, inFlightSinceMs, sinceMs }): Span[] =>
      (state === 'done' || state === 'failed') && inFlightSinceMs !== undefined && sinceMs !== undefined
        ? [{ fromMs: inFlightSinceMs, toMs: sinceMs }]
        : [],
    )
    .sort((a, b) => a.toMs - b.toMs);
  const [newest, before] = [ended.slice(-NEWEST), ended.at(-NEWEST - 1)];
  const last = newest.at(-1);
  if (ended.length < FEWEST || last === undefined || left === 0) return undefined;
  const under = inFlight.map(({ inFlightSinceMs }) => ({ fromMs: inFlightSinceMs ?? nowMs, toMs: nowMs }));
  const busyMs = coveredMs([...ended, ...under], before?.toMs ?? Number.NEGATIVE_INFINITY, last.toMs);
  const perHostMs = busyMs / newest.length;
  const goneMs = coveredMs(under, last.toMs, nowMs);
  return Math.max(left * perHostMs - goneMs, (left - Math.max(1, inFlight.length)) * perHostMs);
}
