// Faults of servers, PostgreSQL and network links. The seed determines the whole plan.

import { Random } from '../random.ts';

/** Durations in milliseconds. A freeze outlasts the lease, so that other servers take over. */
const DURATIONS_MS = {
  kill: [500, 4000],
  leave: [300, 2000],
  freeze: 'past the lease',
  cut_database: [500, 5000],
  clog_database: [500, 5000],
  cut_hosts: [500, 4000],
  clog_hosts: [500, 4000],
  restart_database: [100, 1500],
  crash_database: [100, 1500],
} as const satisfies Record<string, readonly [number, number] | 'past the lease'>;

export type FaultKind = keyof typeof DURATIONS_MS;

export interface PlannedFault {
  readonly kind: FaultKind;
  /**
   * Index of the server; `busiest` is the server with the most connections to hosts at that time; `null` for
   * PostgreSQL.
   */
  readonly server: number | 'busiest' | null;
  /** The fault starts `delayMs` after this total number of reboots. */
  readonly afterReboots: number;
  readonly delayMs: number;
  readonly durationMs: number;
}

export interface PlanOptions {
  readonly seed: number;
  readonly servers: number;
  readonly hosts: number;
  readonly leaseMs: number;
}

const isDatabaseFault = (kind: FaultKind) => kind === 'restart_database' || kind === 'crash_database';

function randomDurationMs(random: Random, kind: FaultKind, leaseMs: number, isShort = false): number {
  const range = DURATIONS_MS[kind];
  const [min, max] = range === 'past the lease' ? [leaseMs + 300, leaseMs + 1500] : range;
  return random.between(min, isShort ? min + SHORT_MS : max);
}

/** Spreads faults with the same reboot count over the phases of a restart. */
const MAX_DELAY_MS = 1500;
const SHORT_MS = 400;
/** No faults for the last hosts, so that the restart ends after the last fault. */
const LAST_FAULT_SHARE = 0.8;

/** Random faults that may overlap. */
export function randomPlan({ seed, servers, hosts, leaseMs }: PlanOptions, faults: number): readonly PlannedFault[] {
  const random = new Random(seed);
  const kinds = Object.keys(DURATIONS_MS) as FaultKind[];
  return Array.from({ length: faults }, () => {
    const kind = random.pick(kinds);
    return {
      kind,
      server: isDatabaseFault(kind) ? null : random.between(0, servers - 1),
      afterReboots: random.between(0, Math.floor(hosts * LAST_FAULT_SHARE)),
      delayMs: random.between(0, MAX_DELAY_MS),
      durationMs: randomDurationMs(random, kind, leaseMs),
    };
  }).sort((a, b) => a.afterReboots - b.afterReboots);
}

/** Short faults of the busiest server, one after the other. */
export function orderedPlan(
  { seed, hosts, leaseMs }: Omit<PlanOptions, 'servers'>,
  kinds: readonly FaultKind[],
): readonly PlannedFault[] {
  const random = new Random(seed);
  return kinds.map((kind, index) => ({
    kind,
    server: isDatabaseFault(kind) ? null : 'busiest',
    afterReboots: Math.floor((hosts * LAST_FAULT_SHARE * (index + 0.2)) / kinds.length),
    delayMs: random.between(0, SHORT_MS),
    durationMs: randomDurationMs(random, kind, leaseMs, true),
  }));
}

const describeTarget = ({ server }: PlannedFault) =>
  typeof server === 'number' ? `server ${server + 1}` : (server ?? 'PostgreSQL');

export const describePlan = (plan: readonly PlannedFault[]): string =>
  plan
    .map(
      fault =>
        `  after ${fault.afterReboots} reboots and ${fault.delayMs} ms: ${fault.kind}, ${describeTarget(fault)}, ${fault.durationMs} ms`,
    )
    .join('\n');
