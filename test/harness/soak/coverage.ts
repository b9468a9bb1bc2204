import type { HostCommand } from '../host-fleets/host-fleet.ts';

/** Commands with a smaller gap belong to the same health check. */
const MIN_GAP_MS = 10_000;

export interface CoverageOptions {
  /** Hosts that receive only health checks. */
  readonly addresses: Iterable<string>;
  readonly intervalMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface CheckCoverage {
  /** Total of all hosts. */
  readonly checks: number;
  /** Longest time of any host without a health check. */
  readonly longestGapMs: number;
  readonly errors: readonly string[];
}

/** Slow checks reduce their number, so some may be missing. */
const MIN_CHECKED_SHARE = 0.9;
const MAX_INTERVALS = 2;
const MAX_LISTED = 5;

/** Verifies from the commands that the hosts received that all hosts were checked all the time. */
export function measureCheckCoverage(
  commands: readonly HostCommand[],
  { addresses, intervalMs, fromMs, toMs }: CoverageOptions,
): CheckCoverage {
  const hosts = new Map([...addresses].map(address => [address, { lastMs: fromMs, longestGapMs: 0 }]));
  let checks = 0;
  for (const { address, atMs } of commands) {
    const host = hosts.get(address);
    if (host === undefined || atMs < fromMs || atMs > toMs) continue;
    const gapMs = atMs - host.lastMs;
    if (gapMs >= MIN_GAP_MS || host.lastMs === fromMs) checks += 1;
    host.longestGapMs = Math.max(host.longestGapMs, gapMs);
    host.lastMs = atMs;
  }
  const longest = [...hosts].map(([address, host]) => ({
    address,
    ms: Math.max(host.longestGapMs, toMs - host.lastMs),
  }));
  const uncovered = longest.filter(({ ms }) => ms > MAX_INTERVALS * intervalMs);
  const minimum = Math.floor(MIN_CHECKED_SHARE * hosts.size * Math.floor((toMs - fromMs) / intervalMs));
  return {
    checks,
    longestGapMs: Math.max(0, ...longest.map(({ ms }) => ms)),
    errors: [
      ...(checks < minimum ? [`hosts were checked ${checks} times, and at least ${minimum} were due`] : []),
      ...(uncovered.length > 0 ? [`${uncovered.length} hosts were not checked for two intervals`] : []),
      ...uncovered
        .slice(0, MAX_LISTED)
        .map(({ address, ms }) => `${address} was not checked for ${Math.round(ms / 1000)} s`),
    ],
  };
}
