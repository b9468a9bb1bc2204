import { expect, test } from 'vitest';
import { newOperation, OPERATION_REQUEST } from '../../../../test/harness/stores/operation-fixtures.ts';
import { describeStore } from '../../../../test/harness/stores/stores.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import type { ClusterOperation } from '../../../domain/rollout/operation.ts';
import { isOperationOpen } from '../../../domain/rollout/operation.ts';
import { OPERATION_STATES } from '../../../domain/vocabulary.ts';
import type { RequestedOperation } from './operation-rows.ts';
import type { OperationFilter } from './operations.ts';

const [ONE, TWO] = [toRecordName('one'), toRecordName('two')];
const HOST = '127.0.0.1' as Address;
const at = (hour: number) => `2030-01-01T${String(hour).padStart(2, '0')}:00:00Z`;

describeStore('operations', { per: 'test' }, ({ store }) => {
  const insert = (
    operation: ClusterOperation,
    request: Partial<Pick<RequestedOperation, 'policyInput'>> = {},
    dueAt = 0,
  ) =>
    store().transaction(records => records.operations.insert(operation, { ...OPERATION_REQUEST, ...request }, dueAt));
  const updateStatus = (operation: ClusterOperation, dueAt: number | null = 0) =>
    store().transaction(records => records.operations.updateStatus(operation, dueAt));
  const setKey = ({ id, cluster }: ClusterOperation, key: string) =>
    store().transaction(records => records.idempotencyKeys.set(cluster, key, id));
  const insertEnded = async (operation: ClusterOperation, finishedAt: string, key?: string) => {
    await insert(operation);
    if (key) await setKey(operation, key);
    await updateStatus({ ...operation, state: 'finished', finishedAt });
  };

  test('are read as they were written, with their last status', async () => {
    const operation = newOperation('a', ONE, {
      ...{ kind: 'deploy', version: '44', hostCount: 3, startedBy: 'me' },
      trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      policy: { maxUnavailable: '25%', order: [HOST], check: ['true'] },
    });
    await insert(operation);
    expect(await store().reads.operations.get('a')).toEqual({ ...operation, sequence: 1 });
    const later: ClusterOperation = {
      ...operation,
      ...{ state: 'paused', pause: 'budget', problem: 'blocked', blockedSinceMs: 1_900_000_000_123 },
      ...{ acknowledgedFailures: 2, ignoredHosts: [HOST] },
    };
    await updateStatus(later);
    expect(await store().reads.operations.get('a')).toEqual({ ...later, sequence: 1 });
    expect(await store().reads.operations.get('b')).toBeUndefined();
  });

  test('allow one open operation per cluster', async () => {
    const first = newOperation('a', ONE);
    await insert(first, { policyInput: { canary: 1 } });
    await expect(insert(newOperation('b', ONE))).rejects.toThrow();
    await insert(newOperation('c', TWO));
    expect(await store().reads.operations.getOpen(ONE)).toMatchObject({
      id: 'a',
      policyInput: { canary: 1 },
    });
    await updateStatus({ ...first, state: 'failed', finishedAt: at(1) });
    expect(await store().reads.operations.getOpen(ONE)).toBeUndefined();
    await insert(newOperation('b', ONE));
    expect(await store().reads.operations.getOpen(ONE)).toMatchObject({ id: 'b' });
    await expect(updateStatus({ ...first, state: 'running', finishedAt: null })).rejects.toThrow();
  });

  test('are open and due until they have ended', async () => {
    for (const state of OPERATION_STATES) {
      const operation = newOperation(state, toRecordName(state));
      await insert(operation, {}, 100);
      await updateStatus({ ...operation, state }, 200);
    }
    const openStates = OPERATION_STATES.filter(state => isOperationOpen({ state }));
    expect((await store().reads.operations.listDueIds(1000, 10)).toSorted()).toEqual(openStates.toSorted());
    for (const state of OPERATION_STATES) {
      const cluster = toRecordName(state);
      const locked = await store().transaction(({ operations }) => operations.lockOpen(cluster));
      expect(locked?.id).toBe(isOperationOpen({ state }) ? state : undefined);
    }
  });

  test('are listed when due, longest due first, up to a limit', async () => {
    for (const [index, dueAt] of [300, 100, 200].entries())
      await insert(newOperation(`o${dueAt}`, toRecordName(`c${index}`)), {}, dueAt);
    const { operations } = store().reads;
    expect(await operations.listDueIds(99, 10)).toEqual([]);
    expect(await operations.listDueIds(200, 10)).toEqual(['o100', 'o200']);
    expect(await operations.listDueIds(999, 1)).toEqual(['o100']);
    expect(await operations.getNextDue()).toBe(100);
    await store().transaction(records => records.operations.scheduleReconcile('o300', 50));
    expect(await operations.listDueIds(999, 10)).toEqual(['o300', 'o100', 'o200']);
    await store().transaction(records => records.operations.scheduleAllReconciles(10));
    expect(await operations.listDueIds(10, 10)).toHaveLength(3);
    expect([...(await operations.listOpenIds())].sort()).toEqual(['o100', 'o200', 'o300']);
  });

  test('are neither open nor due after they have ended', async () => {
    await insertEnded(newOperation('ended', ONE), at(1));
    await store().transaction(records => records.operations.scheduleReconcile('ended', 10));
    const { operations } = store().reads;
    expect(await operations.listOpenIds()).toEqual([]);
    expect(await operations.listDueIds(10, 10)).toEqual([]);
  });

  test('are not due without a due time', async () => {
    const operation = newOperation('a', ONE, { state: 'running' });
    await insert(operation);
    await updateStatus(operation, null);
    expect(await store().reads.operations.getNextDue()).toBeNull();
  });

  test('are listed newest first, by filter and page', async () => {
    const kinds = ['restart', 'upgrade', 'restart', 'deploy'] as const;
    for (const [index, operationKind] of kinds.entries()) {
      const cluster = index === 1 ? TWO : ONE;
      await insertEnded(newOperation(`o${index}`, cluster, { kind: operationKind }), at(index));
    }
    await insert(newOperation('o4', ONE, { state: 'paused', pause: 'window' }));
    const list = async (filter: OperationFilter, page: { limit?: number; after?: number } = {}) => {
      const { items, hasMore } = await store().reads.operations.list(filter, page);
      return `${items.map(({ id }) => id).join(' ')}${hasMore ? ' …' : ''}`;
    };
    expect(await list({})).toBe('o4 o3 o2 o1 o0');
    expect(await list({ cluster: ONE })).toBe('o4 o3 o2 o0');
    expect(await list({ kind: 'restart' })).toBe('o4 o2 o0');
    expect(await list({ status: 'in_process' })).toBe('o4');
    expect(await list({ status: 'finished', cluster: ONE, kind: 'restart' })).toBe('o2 o0');
    expect(await list({ status: 'cancelled' })).toBe('');
    expect(await list({}, { limit: 2 })).toBe('o4 o3 …');
    const { sequence } = (await store().reads.operations.get('o3')) ?? {};
    expect(await list({}, { limit: 3, ...(sequence !== undefined && { after: sequence }) })).toBe('o2 o1 o0');
    expect(await store().reads.operations.getLatest(ONE, 'restart')).toMatchObject({ id: 'o4' });
    expect(await store().reads.operations.getLatest(TWO, 'deploy')).toBeUndefined();
  });

  test('are found by their idempotency key while open and for some time after their end', async () => {
    await insertEnded(newOperation('old', ONE), at(1), 'k');
    const findByKey = (key: string, since: string, cluster = ONE) =>
      store().transaction(
        async ({ idempotencyKeys }) => (await idempotencyKeys.findOperation(cluster, key, since))?.id,
      );
    expect(await findByKey('k', at(1))).toBe('old');
    expect(await findByKey('k', at(2))).toBeUndefined();
    expect(await findByKey('k', at(1), TWO)).toBeUndefined();
    expect(await findByKey('other', at(1))).toBeUndefined();
    await insert(newOperation('new', ONE));
    await setKey(newOperation('new', ONE), 'k');
    expect(await findByKey('k', at(1))).toBe('new');
    expect(await findByKey('k', at(23))).toBe('new');
  });

  test('are removed in batches, with their hosts and output, if they ended before a given time', async () => {
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) {
      await insertEnded(newOperation(id, ONE), at(index));
      await store().transaction(async ({ operationHosts, operationOutput }) => {
        await operationHosts.insert(id, [{ host: HOST, enrolment: 'e', position: 0 }]);
        const key = { operation: id, host: HOST, attempt: 1, step: 'stage' };
        await operationOutput.save(key, { output: 'o', lastLines: 'l', at: at(index) });
      });
    }
    await insert(newOperation('open', ONE));
    const prune = () => store().transaction(records => records.operations.removeEndedBefore(at(3), 2));
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0]);
    const { items } = await store().reads.operations.list({}, {});
    expect(items.map(({ id }) => id)).toEqual(['open', 'd']);
    const { operationHosts, operationOutput } = store().reads;
    const countRemaining = async (id: string) =>
      (await operationHosts.list(id)).items.length + (await operationOutput.list(id, HOST)).length;
    expect([await countRemaining('a'), await countRemaining('c'), await countRemaining('d')]).toEqual([0, 0, 2]);
  });
});
