// What is done to servers, PostgreSQL and the ways between them, and when. All of it follows from a seed.

import { Random } from '../../engine/operations/model/random.ts';

/** How long each lasts, in milliseconds. Where that is from the lease on, others have taken over when it ends. */
const LASTS = {
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

export type FaultKind = keyof typeof LASTS;

export interface PlannedFault {
  readonly kind: FaultKind;
  /** Which of the servers, from 0 on, or the one that hosts hear most of at that time; `null`: it is of PostgreSQL. */
  readonly server: number | 'busiest' | null;
  /** It waits until hosts have gone down so many times, all together, and then for so long. */
  readonly afterDowns: number;
  readonly delayMs: number;
  readonly lastsMs: number;
}

export interface Scale {
  readonly seed: number;
  readonly servers: number;
  readonly hosts: number;
  readonly leaseMs: number;
}

const isOfPostgres = (kind: FaultKind) => kind === 'restart_database' || kind === 'crash_database';

function lastsMs(random: Random, kind: FaultKind, leaseMs: number, isShort = false): number {
  const range = LASTS[kind];
  const [least, most] = range === 'past the lease' ? [leaseMs + 300, leaseMs + 1500] : range;
  return random.between(least, isShort ? least + SHORT_MS : most);
}

/** The longest delays, so that what waits for the same number of reboots still comes at several moments of a host's restart. */
const MOST_DELAY_MS = 1500;
const SHORT_MS = 400;
/** The last hosts are left in peace, so that the end is no race. */
const UNTIL = 0.8;

/** So many faults at any time: several may be under way at once. */
export function randomPlan(
  { seed, servers, hosts, leaseMs }: Scale,
  faults: number,
): readonly PlannedFault[] {
  const random = new Random(seed);
  const kinds = Object.keys(LASTS) as FaultKind[];
  return Array.from({ length: faults }, () => {
    const kind = random.pick(kinds);
    return {
      kind,
      server: isOfPostgres(kind) ? null : random.between(0, servers - 1),
      afterDowns: random.between(0, Math.floor(hosts * UNTIL)),
      delayMs: random.between(0, MOST_DELAY_MS),
      lastsMs: lastsMs(random, kind, leaseMs),
    };
  }).sort((a, b) => a.afterDowns - b.afterDowns);
}

/** These faults one after the other, each short, and of the busiest server. When, and for how long, is left to the seed. */
export function orderedPlan(
  { seed, hosts, leaseMs }: Omit<Scale, 'servers'>,
  kinds: readonly FaultKind[],
): readonly PlannedFault[] {
  const random = new Random(seed);
  return kinds.map((kind, index) => ({
    kind,
    server: isOfPostgres(kind) ? null : 'busiest',
    afterDowns: Math.floor((hosts * UNTIL * (index + 0.2)) / kinds.length),
    delayMs: random.between(0, SHORT_MS),
    lastsMs: lastsMs(random, kind, leaseMs, true),
  }));
}

const nameOf = ({ server }: PlannedFault) =>
  typeof server === 'number' ? `server ${server + 1}` : (server ?? 'PostgreSQL');

export const describePlan = (plan: readonly PlannedFault[]): string =>
  plan
    .map(
      fault =>
        `  after ${fault.afterDowns} reboots and ${fault.delayMs} ms: ${fault.kind}, ${nameOf(fault)}, ${fault.lastsMs} ms`,
    )
    .join('\n');
