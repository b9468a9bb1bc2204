import { beforeEach, describe, expect, test } from 'vitest';
import { AppError, StoreUnavailableError } from '../domain/errors.ts';
import { measuredStore } from './measured-store.ts';
import type { Store } from './store.ts';

describe('a store that is measured', () => {
  const told: string[] = [];
  /** Runs the work so often, as a store does that others are in the way of. */
  const storeOf = (runs: number) =>
    measuredStore(
      {
        transaction: async work => {
          for (let run = 1; run < runs; run += 1) await work({} as never);
          return work({} as never);
        },
        snapshot: async work => work({} as never),
      } as Store,
      {
        transactionEnded: (outcome, seconds, count) => told.push(`${outcome} ${seconds >= 0} ${count}`),
        snapshotEnded: seconds => told.push(`snapshot ${seconds >= 0}`),
        statementEnded: () => told.push('statement'),
      },
    );
  beforeEach(() => void told.splice(0));

  test.each<[string, number, () => Promise<unknown>]>([
    ['committed true 1', 1, async () => 'done'],
    ['committed true 3', 3, async () => 'done'],
    ['rolled_back true 1', 1, async () => new AppError('in_use', 'it is in use')],
  ])('tells %s, and answers what the work does', async (line, runs, work) => {
    expect(await storeOf(runs).transaction(work)).toEqual(await work());
    expect(told).toEqual([line]);
  });

  test.each([
    ['unavailable true 1', new StoreUnavailableError(undefined)],
    ['failed true 1', new Error('nobody expects it')],
  ])('tells %s, and throws what the work does', async (line, error) => {
    const failing = storeOf(1).transaction(async () => {
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(told).toEqual([line]);
  });

  test('tells how long snapshots take', async () => {
    expect(await storeOf(1).snapshot(async () => 5)).toBe(5);
    expect(told).toEqual(['snapshot true']);
  });
});
