import type { Visit } from '../chaos/fleet.ts';

/** Commands that follow each other sooner belong to one visit. */
const APART_MS = 10_000;

export interface Watched {
  /** Of hosts that nobody comes to but to check them. */
  readonly addresses: Iterable<string>;
  readonly intervalMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Attendance {
  /** Visits of all hosts. */
  readonly visits: number;
  /** The longest that any of them was left alone. */
  readonly longestMs: number;
  readonly problems: readonly string[];
}

/** The part of the checks that may be missing, since none is where a check takes longer. */
const SHARE = 0.9;
const MOST_INTERVALS = 2;
const MOST_NAMED = 5;

/** Whether all hosts were watched all the time, as the hosts themselves tell. */
export function attendanceOf(
  all: readonly Visit[],
  { addresses, intervalMs, fromMs, toMs }: Watched,
): Attendance {
  const hosts = new Map([...addresses].map(address => [address, { lastMs: fromMs, longestMs: 0 }]));
  let visits = 0;
  for (const { address, atMs } of all) {
    const host = hosts.get(address);
    if (host === undefined || atMs < fromMs || atMs > toMs) continue;
    const aloneMs = atMs - host.lastMs;
    if (aloneMs >= APART_MS || host.lastMs === fromMs) visits += 1;
    host.longestMs = Math.max(host.longestMs, aloneMs);
    host.lastMs = atMs;
  }
  const longest = [...hosts].map(([address, host]) => ({
    address,
    ms: Math.max(host.longestMs, toMs - host.lastMs),
  }));
  const alone = longest.filter(({ ms }) => ms > MOST_INTERVALS * intervalMs);
  const least = Math.floor(SHARE * hosts.size * Math.floor((toMs - fromMs) / intervalMs));
  return {
    visits,
    longestMs: Math.max(0, ...longest.map(({ ms }) => ms)),
    problems: [
      ...(visits < least ? [`hosts were checked ${visits} times, and at least ${least} were due`] : []),
      ...(alone.length > 0 ? [`${alone.length} hosts were not checked for two intervals`] : []),
      ...alone
        .slice(0, MOST_NAMED)
        .map(({ address, ms }) => `${address} was not checked for ${Math.round(ms / 1000)} s`),
    ],
  };
}
