import { expect, test } from 'vitest';
import { startOperation } from '../../src/app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import { AppError } from '../../src/domain/errors.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import type { ClusterOperation } from '../../src/domain/rollout/operation.ts';
import { formatTimestamp } from '../../src/domain/timestamp.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';

const HOUR = 60 * MINUTE;

describeSimulation('Idempotency-Key', { per: 'test' }, simulation => {
  const put = async (idempotencyKey: string | null) => {
    const request = { cluster: toRecordName('web'), version: '', policyInput: {}, idempotencyKey };
    const result = await startOperation(simulation().ports, LOCAL_ACTOR, { ...request, kind: 'restart' });
    if (result instanceof AppError) throw new Error(result.detail);
    return result;
  };
  /** Sets the final state directly: simulating a server for a day would take too long. */
  const finish = ({ record }: { readonly record: ClusterOperation }) =>
    simulation().store.transaction(({ operations }) => {
      const finishedAt = formatTimestamp(simulation().clock.now());
      return operations.updateStatus({ ...record, state: 'finished', finishedAt }, null);
    });

  test('returns its operation until one day after the operation has ended', async () => {
    await simulation().makeCluster('web');
    const first = await put('key');
    expect([first.isNew, first.record.state]).toEqual([true, 'planned']);
    await finish(first);
    await simulation().clock.advance(24 * HOUR - 10 * MINUTE);
    expect(await put('key')).toMatchObject({
      isNew: false,
      record: { id: first.record.id, state: 'finished' },
    });
    await simulation().clock.advance(20 * MINUTE);
    const second = await put('key');
    expect([second.isNew, second.record.id === first.record.id]).toEqual([true, false]);
  });

  test('returns the operation that was running at its first use', async () => {
    await simulation().makeCluster('web');
    const first = await put(null);
    for (const key of ['one', 'two', 'one'])
      expect(await put(key)).toMatchObject({ isNew: false, record: { id: first.record.id } });
    await finish(first);
    for (const key of ['one', 'two'])
      expect(await put(key)).toMatchObject({
        isNew: false,
        record: { id: first.record.id, state: 'finished' },
      });
    expect((await put('three')).isNew).toBe(true);
  });

  test('without a key, the same request starts a new operation after the first has ended', async () => {
    await simulation().makeCluster('web');
    const first = await put(null);
    expect((await put(null)).isNew).toBe(false);
    await finish(first);
    expect((await put(null)).isNew).toBe(true);
  });
});
