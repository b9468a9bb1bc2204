import { afterAll, beforeAll, test } from 'vitest';
import { IS_LONG_RUN } from '../../../harness/long-run.ts';
import { printRepeatCommandOnFailure } from '../../../harness/repeat-command.ts';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../../harness/simulation/reused-store.ts';
import type { StoreKind } from '../../../harness/stores/stores.ts';
import { generateHistory } from './generate-history.ts';
import { formatHistory } from './history.ts';
import { runHistory } from './run-history.ts';
import { shrink } from './shrink.ts';

const SHRINK_WITHIN_MS = 60_000;
/** Per history; far more than it takes on a busy machine. */
const MAX_MS = 15_000;

const replayedSeed = process.env['HOSTLER_HISTORY'];

/** A violation without names and numbers. A smaller history must cause the same kind of violation. */
const kindOf = (violation: string | undefined): string | undefined =>
  violation
    ?.replace(/[A-Za-z0-9_-]{16}|[0-9.]+/g, '#')
    .split(' ')
    .slice(0, 5)
    .join(' ');

async function report(store: ReusedStore, seed: number, violation: string): Promise<string> {
  const history = generateHistory(seed);
  const isSameKind = async (other: typeof history) => kindOf(await runHistory({ store }, other)) === kindOf(violation);
  const smallest = await shrink(history, isSameKind, SHRINK_WITHIN_MS);
  return [violation, formatHistory(smallest)].join('\n');
}

/** The seeds that a test file runs. */
export interface Share {
  readonly kind: StoreKind;
  readonly histories: number;
  readonly historiesInLongRun: number;
  /** The seeds are split into `parts`, one per test file. */
  readonly part: number;
  readonly parts: number;
}

function seedsOf({ histories, historiesInLongRun, part, parts }: Share): readonly number[] {
  if (replayedSeed !== undefined) return [Number(replayedSeed)];
  const count = (IS_LONG_RUN ? historiesInLongRun : histories) / parts;
  return Array.from({ length: count }, (_, index) => part * count + index + 1);
}

export function runSeeds(share: Share): void {
  const seeds = seedsOf(share);
  let store: ReusedStore;
  beforeAll(async () => {
    store = await reusedStore(share.kind);
  });
  afterAll(() => store.close());

  test(`all invariants hold in histories ${seeds[0]} to ${seeds.at(-1)} on ${share.kind}`, {
    timeout: SHRINK_WITHIN_MS * 2 + seeds.length * MAX_MS,
  }, async () => {
    let running = Number.NaN;
    printRepeatCommandOnFailure('HOSTLER_HISTORY', () => running);
    for (const seed of seeds) {
      running = seed;
      const violation = await runHistory({ store }, generateHistory(seed));
      if (violation) throw new Error(await report(store, seed, violation));
    }
  });
}
