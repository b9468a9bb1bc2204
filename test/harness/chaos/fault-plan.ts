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
  stop_store: [100, 1500],
  kill_store: [100, 1500],
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

/** Spreads faults with the same reboot count over the phases of a restart. */
const MAX_DELAY_MS = 1500;
/** No faults for the last hosts, so that the restart ends after the last fault. */
const LAST_FAULT_SHARE = 0.8;

const MAX_ORDERED_DELAY_MS = 400;
/** Range of the durations of ordered faults above their minimum. */
const ORDERED_DURATION_RANGE_MS = 400;
/** Each ordered fault waits for the end of the previous one, so all of them must be due early in the restart. */
const LAST_ORDERED_FAULT_SHARE = 0.25;
/** The first ordered fault starts after the first reboots. */
const FIRST_ORDERED_OFFSET = 0.2;

function randomDurationMs(random: Random, kind: SystemFault, leaseMs: number, isOrdered = false): number {
  const range = DURATIONS_MS[kind];
  const [min, max] = range === 'past the lease' ? [leaseMs + 300, leaseMs + 1500] : range;
  return random.between(min, isOrdered ? min + ORDERED_DURATION_RANGE_MS : max);
}

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
    afterReboots: Math.max(
      1,
      Math.floor((hosts * LAST_ORDERED_FAULT_SHARE * (index + FIRST_ORDERED_OFFSET)) / kinds.length),
    ),
    delayMs: random.between(0, MAX_ORDERED_DELAY_MS),
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
