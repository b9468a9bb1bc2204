import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../../harness/simulation/reused-store.ts';
import type { StoreKind } from '../../../harness/stores/stores.ts';
import { describeHistory } from './describe-history.ts';
import { makeHistory } from './make-history.ts';
import { play } from './play.ts';
import { shrink } from './shrink.ts';

const SHRINK_WITHIN_MS = 60_000;
/** Far more than one takes, also where many other things are done. */
const LONGEST_MS = 15_000;

const isLong = Boolean(process.env['HOSTLER_TEST_ALL']);
const replayed = process.env['HOSTLER_HISTORY'];

/** What went wrong, without names and numbers: a smaller history has to go wrong in the same way. */
const kindOf = (problem: string | undefined) =>
  problem
    ?.replace(/[A-Za-z0-9_-]{16}|[0-9.]+/g, '#')
    .split(' ')
    .slice(0, 5)
    .join(' ');

async function report(store: ReusedStore, seed: number, problem: string): Promise<string> {
  const history = makeHistory(seed);
  const goesWrong = async (other: typeof history) => kindOf(await play({ store }, other)) === kindOf(problem);
  const smallest = await shrink(history, goesWrong, SHRINK_WITHIN_MS);
  return [
    problem,
    describeHistory(smallest),
    `again: HOSTLER_HISTORY=${seed} npx vitest run ${expect.getState().testPath}`,
  ].join('\n');
}

/** Which histories are played: the first so many, or more of them in a long run. */
export interface Share {
  readonly kind: StoreKind;
  readonly histories: number;
  readonly historiesInLongRun: number;
  /** Each file of so many plays its part of them. */
  readonly part: number;
  readonly parts: number;
}

function seedsOf({ histories, historiesInLongRun, part, parts }: Share): readonly number[] {
  if (replayed !== undefined) return [Number(replayed)];
  const count = (isLong ? historiesInLongRun : histories) / parts;
  return Array.from({ length: count }, (_, index) => part * count + index + 1);
}

export function playSeeds(share: Share): void {
  const seeds = seedsOf(share);
  let store: ReusedStore;
  beforeAll(async () => {
    store = await reusedStore(share.kind);
  });
  afterAll(() => store.end());

  test(`the promises hold in histories ${seeds[0]} to ${seeds.at(-1)}`, {
    timeout: SHRINK_WITHIN_MS * 2 + seeds.length * LONGEST_MS,
  }, async () => {
    for (const seed of seeds) {
      const problem = await play({ store }, makeHistory(seed));
      if (problem) throw new Error(await report(store, seed, problem));
    }
  });
}
