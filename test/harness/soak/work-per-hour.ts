/** What was done in an hour, at the pace of this run, by all servers together. */
export interface WorkPerHour {
  readonly servers: number;
  /** Of callers; what others ask is not counted. */
  readonly requests: number;
  /** Of hosts that are only watched, as the hosts have counted them. */
  readonly checks: number;
  readonly events: number;
  readonly operations: number;
  /** Hosts of operations. */
  readonly operationHosts: number;
  /** Readers that came and went. */
  readonly readers: number;
  /** Hosts and records that came and went. */
  readonly guests: number;
}

/** How often each kind of work was done by then. */
export interface Tally {
  readonly atMs: number;
  readonly done: Readonly<Record<string, number>>;
}

const HOUR_MS = 3_600_000;

/** Between the first and the last. */
export function perHourOf(tallies: readonly Tally[]): (kind: string) => number {
  const [first, last] = [tallies[0], tallies.at(-1)];
  const hours = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / HOUR_MS;
  return kind => (hours > 0 ? ((last?.done[kind] ?? 0) - (first?.done[kind] ?? 0)) / hours : 0);
}
