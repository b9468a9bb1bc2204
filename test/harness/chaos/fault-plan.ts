// The plan of the faults of a chaos run. The seed determines the whole plan.

import type { SystemFault } from '../faults.ts';
import { isStoreFault, SYSTEM_FAULTS } from '../faults.ts';
import { Random } from '../random.ts';

/** Durations in milliseconds. A freeze outlasts the lease, so that other servers take over. */
const DURATIONS_MS: Readonly<Record<SystemFault, readonly [number, number] | 'past the lease'>> = {
  kill_server: [500, 4000],
  stop_server: [300, 2000],
  freeze_server: 'past the lease',
  cut_store: [500, 5000],
  stall_store: [500, 5000],
  cut_hosts: [500, 4000],
  stall_hosts: [500, 4000],
  restart_store: [100, 1500],
  crash_store: [100, 1500],
};

export interface PlannedFault {
  readonly kind: SystemFault;
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

function randomDurationMs(random: Random, kind: SystemFault, leaseMs: number, isShort = false): number {
  const range = DURATIONS_MS[kind];
  const [min, max] = range === 'past the lease' ? [leaseMs + 300, leaseMs + 1500] : range;
  return random.between(min, isShort ? min + SHORT_MS : max);
}

/** Spreads faults with the same reboot count over the phases of a restart. */
const MAX_DELAY_MS = 1500;
const SHORT_MS = 400;
/** No faults for the last hosts, so that the restart ends after the last fault. */
const LAST_FAULT_SHARE = 0.8;
/** Ordered faults wait for each other, so the last one can start late. */
const LAST_ORDERED_FAULT_SHARE = 0.25;

/** Random faults that may overlap. */
export function randomPlan({ seed, servers, hosts, leaseMs }: PlanOptions, faults: number): readonly PlannedFault[] {
  const random = new Random(seed);
  return Array.from({ length: faults }, () => {
    const kind = random.pick(SYSTEM_FAULTS);
    return {
      kind,
      server: isStoreFault(kind) ? null : random.between(0, servers - 1),
      afterReboots: random.between(0, Math.floor(hosts * LAST_FAULT_SHARE)),
      delayMs: random.between(0, MAX_DELAY_MS),
      durationMs: randomDurationMs(random, kind, leaseMs),
    };
  }).sort((a, b) => a.afterReboots - b.afterReboots);
}

/** Short faults of the busiest server, one after the other. */
export function orderedPlan(
  { seed, hosts, leaseMs }: Omit<PlanOptions, 'servers'>,
  kinds: readonly SystemFault[],
): readonly PlannedFault[] {
  const random = new Random(seed);
  return kinds.map((kind, index) => ({
    kind,
    server: isStoreFault(kind) ? null : 'busiest',
    afterReboots: Math.floor((hosts * LAST_ORDERED_FAULT_SHARE * (index + 0.2)) / kinds.length),
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
