import { beforeEach, describe, expect, test } from 'vitest';
import { AppError, StoreUnavailableError } from '../domain/errors.ts';
import type { Store } from './store.ts';
import { withMetrics } from './store-metrics.ts';

describe('withMetrics', () => {
  const calls: string[] = [];
  /** A store that runs the callback several times, as after conflicts. */
  const createStore = (attempts: number) =>
    withMetrics(
      {
        transaction: async run => {
          for (let attempt = 1; attempt < attempts; attempt += 1) await run({} as never);
          return run({} as never);
        },
        snapshot: async run => run({} as never),
      } as Store,
      {
        transactionEnded: (outcome, seconds, count) => calls.push(`${outcome} ${seconds >= 0} ${count}`),
        snapshotEnded: seconds => calls.push(`snapshot ${seconds >= 0}`),
        statementEnded: () => calls.push('statement'),
      },
    );
  beforeEach(() => void calls.splice(0));

  test.each<[string, number, () => Promise<unknown>]>([
    ['committed true 1', 1, async () => 'done'],
    ['committed true 3', 3, async () => 'done'],
    ['rolled_back true 1', 1, async () => new AppError('in_use', 'it is in use')],
  ])('reports "%s" and returns the result', async (line, attempts, run) => {
    expect(await createStore(attempts).transaction(run)).toEqual(await run());
    expect(calls).toEqual([line]);
  });

  test.each([
    ['unavailable true 1', new StoreUnavailableError(undefined)],
    ['failed true 1', new Error('unexpected')],
  ])('reports "%s" and rethrows the error', async (line, error) => {
    const failing = createStore(1).transaction(async () => {
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(calls).toEqual([line]);
  });

  test('reports the duration of snapshots', async () => {
    expect(await createStore(1).snapshot(async () => 5)).toBe(5);
    expect(calls).toEqual(['snapshot true']);
  });
});
