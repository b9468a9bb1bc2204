import type { HostProgress, PhaseBegun } from '#client/host-progress.ts';
import { isEnded } from '#client/host-progress.ts';
import type { HostPhase } from '#vocabulary';

/** How long a host was in a phase. */
export interface PhaseSpan {
  readonly phase: HostPhase;
  readonly attempt: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** It is in it still. */
  readonly isOpen: boolean;
}

/** Nothing happens in it. */
const isStill = (phase: HostPhase) => phase === 'pending' || isEnded(phase);

/** The phases in which something happened; the last goes on until now. */
export function spansOf(phases: readonly PhaseBegun[], nowMs: number): readonly PhaseSpan[] {
  return phases.flatMap(({ phase, attempt, atMs }, index): PhaseSpan[] => {
    if (isStill(phase)) return [];
    const next = phases[index + 1];
    return [
      {
        ...{ phase, attempt, fromMs: atMs, isOpen: next === undefined },
        toMs: Math.max(atMs, next?.atMs ?? nowMs),
      },
    ];
  });
}

/** Later attempts first. */
export function byAttempt(
  spans: readonly PhaseSpan[],
): readonly (readonly [attempt: number, spans: readonly PhaseSpan[]])[] {
  return [...Map.groupBy(spans, ({ attempt }) => attempt)].sort(([a], [b]) => b - a);
}

/** The first `most` hosts, the highest `by` first; what has none is left out. */
function highest(
  hosts: readonly HostProgress[],
  most: number,
  by: (host: HostProgress) => number | undefined,
): readonly HostProgress[] {
  const found: { readonly host: HostProgress; readonly rank: number }[] = [];
  for (const host of hosts) {
    const rank = by(host);
    const last = found.at(-1);
    if (rank === undefined || (found.length >= most && last !== undefined && last.rank >= rank)) continue;
    const place = found.findLastIndex(each => each.rank >= rank) + 1;
    found.splice(place, 0, { host, rank });
    if (found.length > most) found.pop();
  }
  return found.map(({ host }) => host);
}

/** Whom a picture over time shows: those in flight, longest first, and below them those that ended last. */
export function hostsOverTime(hosts: readonly HostProgress[], most: number): readonly HostProgress[] {
  const under = highest(hosts, most, ({ state, inFlightSinceMs }) =>
    isEnded(state) || inFlightSinceMs === undefined ? undefined : -inFlightSinceMs,
  );
  const ended = highest(hosts, most - under.length, ({ state, sinceMs, phases }) =>
    isEnded(state) && phases.length > 1 ? sinceMs : undefined,
  );
  return [...under, ...ended];
}
