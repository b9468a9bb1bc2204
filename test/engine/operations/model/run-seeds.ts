import { afterAll, beforeAll, test } from 'vitest';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../../harness/simulation/reused-store.ts';
import type { StoreKind } from '../../../harness/stores/stores.ts';
import { IS_LONG_RUN } from '../../../harness/vitest/long-run.ts';
import { printRepeatCommandOnFailure } from '../../../harness/vitest/repeat-command.ts';
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

/** PostgreSQL runs the seeds after those of SQLite. Each test file of a store runs the same number of them. */
const HISTORIES: Readonly<Record<StoreKind, { readonly count: number; readonly files: number }>> = {
  sqlite: { count: IS_LONG_RUN ? 800 : 16, files: 4 },
  postgres: { count: IS_LONG_RUN ? 80 : 2, files: 1 },
};

const DAY_MS = 86_400_000;

/** Long runs have other seeds each day. `HOSTLER_HISTORY_FIRST` repeats the run of another day. */
function getFirstSeed(): number {
  if (!IS_LONG_RUN) return 1;
  const historiesPerDay = HISTORIES.sqlite.count + HISTORIES.postgres.count;
  return Number(process.env['HOSTLER_HISTORY_FIRST'] ?? Math.floor(Date.now() / DAY_MS) * historiesPerDay);
}

function listSeeds(kind: StoreKind, fileIndex: number): readonly number[] {
  if (replayedSeed !== undefined) return [Number(replayedSeed)];
  const firstSeed = getFirstSeed();
  if (IS_LONG_RUN)
    process.stdout.write(`histories on ${kind}: HOSTLER_HISTORY_FIRST=${firstSeed} repeats their seeds\n`);
  const { count, files } = HISTORIES[kind];
  const countPerFile = count / files;
  const firstOfStore = kind === 'sqlite' ? firstSeed : firstSeed + HISTORIES.sqlite.count;
  return Array.from({ length: countPerFile }, (_, index) => firstOfStore + fileIndex * countPerFile + index);
}

/** `fileIndex` is the index of the test file among those of the store. */
export function runSeeds(kind: StoreKind, fileIndex: number): void {
  const seeds = listSeeds(kind, fileIndex);
  let store: ReusedStore;
  beforeAll(async () => {
    store = await reusedStore(kind);
  });
  afterAll(() => store.close());

  test(`all invariants hold in histories ${seeds[0]} to ${seeds.at(-1)} on ${kind}`, {
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
