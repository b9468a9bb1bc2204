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

// A run with little work, or many 503 responses, proves nothing. The minimums are far below the work of two
// busy cores.

export interface RunSize {
  readonly minutes: number;
  readonly servers: number;
  readonly rings: number;
  readonly guests: number;
}

type WorkCounts = Readonly<Record<string, number>>;

const minimumPerMinute = ({ servers, rings, guests }: RunSize): WorkCounts => ({
  operations: rings / 5,
  guests: guests / 2,
  records: 2,
  readers: 6,
  requests: 60 * servers,
  events: 60,
  webhook_messages: rings / 3 + guests / 2,
});
/** 503 responses, and log lines about them, in percent of the requests. */
const UNAVAILABLE_KINDS = ['turned_away', 'unavailable'];
const MAX_UNAVAILABLE_PERCENT = 1;
/** Limit of the median delay of events. */
const MAX_EVENT_DELAY_MS = 10_000;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** `delaysMs` are the delays of events. */
export function checkMinimumWork(size: RunSize, done: WorkCounts, delaysMs: readonly number[]): readonly string[] {
  const minimum = Object.entries(minimumPerMinute(size)).map(
    ([kind, count]) => [kind, Math.floor(count * size.minutes)] as const,
  );
  const { requests = 0 } = done;
  const maxUnavailable = Math.ceil((requests * MAX_UNAVAILABLE_PERCENT) / 100);
  const delayMs = median(delaysMs);
  return [
    ...minimum
      .filter(([kind, count]) => (done[kind] ?? 0) < count)
      .map(([kind, count]) => `${kind}: ${done[kind] ?? 0}, minimum ${count}`),
    ...UNAVAILABLE_KINDS.filter(kind => (done[kind] ?? 0) > maxUnavailable).map(
      kind => `${kind}: ${done[kind]}, limit ${maxUnavailable} for ${requests} requests`,
    ),
    ...(delayMs > MAX_EVENT_DELAY_MS ? [`events were ${delayMs} ms late`] : []),
  ];
}
