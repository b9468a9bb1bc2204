import type { HostProgress, PhaseStart } from '#sdk/host-progress.ts';
import { isEnded } from '#sdk/host-progress.ts';
import type { RecordedPhase } from '#vocabulary';

export interface PhaseSpan {
  readonly phase: RecordedPhase;
  readonly attempt: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOpen: boolean;
}

const isIdle = (phase: RecordedPhase) => phase === 'pending' || isEnded(phase);

/** Omits idle phases. The last phase ends now. */
export function toPhaseSpans(phases: readonly PhaseStart[], nowMs: number): readonly PhaseSpan[] {
  return phases.flatMap(({ phase, attempt, atMs }, index): PhaseSpan[] => {
    if (isIdle(phase)) return [];
    const next = phases[index + 1];
    const toMs = Math.max(atMs, next?.atMs ?? nowMs);
    return [{ phase, attempt, fromMs: atMs, toMs, isOpen: next === undefined }];
  });
}

/** Latest attempt first. */
export function groupByAttempt(
  spans: readonly PhaseSpan[],
): readonly (readonly [attempt: number, spans: readonly PhaseSpan[]])[] {
  return [...Map.groupBy(spans, ({ attempt }) => attempt)].sort(([a], [b]) => b - a);
}

/** Returns the hosts with the highest rank, sorted. Hosts without a rank are omitted. */
function topHosts(
  hosts: readonly HostProgress[],
  limit: number,
  rankOf: (host: HostProgress) => number | undefined,
): readonly HostProgress[] {
  const ranked: { readonly host: HostProgress; readonly rank: number }[] = [];
  for (const host of hosts) {
    const rank = rankOf(host);
    const last = ranked.at(-1);
    if (rank === undefined || (ranked.length >= limit && last !== undefined && last.rank >= rank)) continue;
    const index = ranked.findLastIndex(entry => entry.rank >= rank) + 1;
    ranked.splice(index, 0, { host, rank });
    if (ranked.length > limit) ranked.pop();
  }
  return ranked.map(({ host }) => host);
}

/** Hosts in flight, longest first, then the hosts that ended last. */
export function timelineHosts(hosts: readonly HostProgress[], limit: number): readonly HostProgress[] {
  const inFlight = topHosts(hosts, limit, ({ state, inFlightSinceMs }) =>
    isEnded(state) || inFlightSinceMs === undefined ? undefined : -inFlightSinceMs,
  );
  const ended = topHosts(hosts, limit - inFlight.length, ({ state, sinceMs, phases }) =>
    isEnded(state) && phases.length > 1 ? sinceMs : undefined,
  );
  return [...inFlight, ...ended];
}

/** `isOngoing`: the range ends now and grows. If all hosts have ended, it ends with the last of them. */
export function timelineRange(
  hosts: readonly Pick<HostProgress, 'state' | 'sinceMs' | 'phases'>[],
  serverNowMs: number,
) {
  const isOngoing = hosts.some(({ state }) => !isEnded(state));
  const lastMs = Math.max(...hosts.map(({ sinceMs = 0 }) => sinceMs));
  const toMs = isOngoing ? Math.max(serverNowMs, lastMs) : lastMs;
  return { isOngoing, toMs, fromMs: Math.min(toMs, ...hosts.map(({ phases }) => phases[0]?.atMs ?? toMs)) };
}
