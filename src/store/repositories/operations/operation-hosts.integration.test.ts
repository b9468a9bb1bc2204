import { beforeEach, expect, test } from 'vitest';
import { PENDING } from '../../../../test/harness/rollout/snapshot-fixtures.ts';
import { describeStore } from '../../../../test/harness/stores/stores.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import type { OperationHost } from '../../../domain/rollout/operation-host.ts';
import { asFailed, asSkipped, asStaged, withPhase } from '../../../domain/rollout/operation-host.ts';
import type { PolicyInput } from '../../../domain/rollout/policy.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

describeStore('the hosts of operations', { per: 'test' }, ({ store }) => {
  beforeEach(async () => {
    await store().transaction(async ({ operationHosts }) => {
      const hosts = [C, A, B].map((host, position) => ({ host, enrolment: `e${position}`, position }));
      await operationHosts.insert('one', hosts);
      await operationHosts.insert('two', hosts.slice(0, 1));
    });
  });

  const get = async (host: Address, operation = 'one'): Promise<OperationHost> => {
    const operationHost = await store().reads.operationHosts.get(operation, host);
    if (operationHost === undefined) throw new Error(`${host} is not in the plan`);
    return operationHost;
  };
  const change = (host: Address, update: (operationHost: OperationHost) => OperationHost) =>
    store().transaction(async ({ operationHosts }) => {
      const operationHost = await operationHosts.lock('one', host);
      if (operationHost) await operationHosts.update('one', update(operationHost));
    });

  test('have default values before they start', async () => {
    expect(await get(A)).toEqual({ ...PENDING, host: A, enrolment: 'e1', position: 1 });
    expect(await store().reads.operationHosts.get('one', '127.9.9.9' as Address)).toBeUndefined();
  });

  test('are read as they were written, only for this host and operation', async () => {
    const all = (operationHost: OperationHost): OperationHost => ({
      ...operationHost,
      ...{ isControlPlane: true, phase: 'verifying', isStaged: true, isUnreachable: true },
      ...{ abortReason: 'by_hand', holdsSlot: true, isCordoned: true, attempt: 3, skipReason: 'cancelled' },
      ...{ wasNoop: true, problem: 'p', stageResult: { version: '44', n: 1, is: true, no: null } },
      phases: [{ phase: 'verifying', attempt: 3, at: 'then' }],
      ...{ startedAt: 'then', finishedAt: 'now' },
    });
    const [before, other] = [await get(C), await get(C, 'two')];
    await change(C, all);
    expect(await get(C)).toEqual(all(before));
    expect(await get(C, 'two')).toEqual(other);
    expect((await get(A)).phase).toBe('pending');
  });

  test('are locked and updated together, each with its own values', async () => {
    await change(B, operationHost => withPhase(operationHost, 'staging', 'then'));
    const other = await get(C, 'two');
    const changed = await store().transaction(async ({ operationHosts }) => {
      const locked = await operationHosts.lockAll('one', [B, A, C, '127.9.9.9' as Address]);
      const skippedHosts = locked.map(operationHost => asSkipped(operationHost, 'now', 'cancelled'));
      await operationHosts.updateAll('one', skippedHosts);
      return skippedHosts;
    });
    expect(changed.map(({ host }) => host)).toEqual([C, A, B]);
    expect([await get(C), await get(A), await get(B)]).toEqual(changed);
    expect((await get(B)).phases).toHaveLength(2);
    expect(await get(C, 'two')).toEqual(other);
  });

  test('are listed in the order of the plan, in pages', async () => {
    const list = async (page = {}) => {
      const { items, hasMore } = await store().reads.operationHosts.list('one', page);
      return [items.map(({ host }) => host), hasMore];
    };
    expect(await list()).toEqual([[C, A, B], false]);
    expect(await list({ limit: 2 })).toEqual([[C, A], true]);
    expect(await list({ limit: 2, after: 1 })).toEqual([[B], false]);
  });

  test('are counted and listed by phase', async () => {
    await change(C, operationHost => asFailed(operationHost, 'now', { problem: 'p', holdsSlot: false }));
    await change(A, operationHost => asStaged(withPhase(operationHost, 'staging', 'now'), 'now', {}));
    const { operationHosts } = store().reads;
    expect(await operationHosts.countByState('one')).toEqual({ failed: 1, queued: 1, pending: 1 });
    expect(await operationHosts.countByState('none')).toEqual({});
    const found = await operationHosts.listByPhase('one', ['pending', 'failed']);
    expect(found.map(({ host }) => host)).toEqual([C, B]);
  });

  test('get an abort reason only if they are in flight', async () => {
    await change(A, operationHost => withPhase(operationHost, 'draining', 'now'));
    await change(B, operationHost => asSkipped(operationHost, 'now', 'left_cluster'));
    await store().transaction(({ operationHosts }) => operationHosts.setAbortReason('one', [A, B, C], 'cancelled'));
    const abortReasons = [await get(A), await get(B), await get(C)].map(operationHost => operationHost.abortReason);
    expect(abortReasons).toEqual(['cancelled', null, null]);
  });

  test('are marked as control plane in one operation, if they are in its plan', async () => {
    await store().transaction(({ operationHosts }) =>
      operationHosts.setControlPlane('one', [C, '127.9.9.9' as Address]),
    );
    const marked = [await get(C), await get(A), await get(C, 'two')].map(operationHost => operationHost.isControlPlane);
    expect(marked).toEqual([true, false, false]);
  });

  test('keep the newest output of each step and attempt', async () => {
    const save = (host: Address, attempt: number, step: string, output: string, at: string) =>
      store().transaction(({ operationOutput }) =>
        operationOutput.save({ operation: 'one', host, attempt, step }, { output, lastLines: `${output}!`, at }),
      );
    await save(A, 2, 'stage', 'retried', '4');
    await save(A, 1, 'stage', 'some', '1');
    await save(A, 1, 'apply', 'done', '3');
    await save(A, 1, 'stage', 'some more', '2');
    await save(B, 1, 'stage', 'other', '1');
    const row = (host: Address, attempt: number, step: string, output: string, at: string) => ({
      ...{ host, attempt, step, output, at },
    });
    const { operationOutput } = store().reads;
    expect(await operationOutput.list('one', A)).toEqual([
      row(A, 1, 'stage', 'some more', '2'),
      row(A, 1, 'apply', 'done', '3'),
      row(A, 2, 'stage', 'retried', '4'),
    ]);
    expect(await operationOutput.listLastLines('one', [A, B])).toEqual([
      row(B, 1, 'stage', 'other!', '1'),
      row(A, 1, 'stage', 'some more!', '2'),
      row(A, 1, 'apply', 'done!', '3'),
      row(A, 2, 'stage', 'retried!', '4'),
    ]);
    expect(await operationOutput.listLastLines('one', [B])).toEqual([row(B, 1, 'stage', 'other!', '1')]);
    expect(await operationOutput.list('two', A)).toEqual([]);
  });

  test('can all be paused and resumed with the global flag', async () => {
    const setPaused = (isPaused: boolean) =>
      store().transaction(({ serviceFlags }) => serviceFlags.setGloballyPaused(isPaused));
    const isPaused = () => store().reads.serviceFlags.isGloballyPaused();
    expect(await isPaused()).toBe(false);
    await setPaused(true);
    await setPaused(true);
    expect(await isPaused()).toBe(true);
    await setPaused(false);
    expect(await isPaused()).toBe(false);
  });

  test('use the cluster policy, which is replaced completely and removed with the cluster', async () => {
    const [name, network] = [toRecordName('one'), toRecordName('default')];
    const input: PolicyInput = { maxUnavailable: '25%', drain: { timeoutS: 5 }, window: null };
    const read = () => store().reads.clusterPolicies.get(name);
    await store().transaction(async ({ clusters, clusterPolicies }) => {
      await clusters.insertOrLock({ name, network, containerManager: null, revision: 'r' });
      await clusterPolicies.set(name, { canary: 3 });
      await clusterPolicies.set(name, input);
    });
    expect(await read()).toEqual(input);
    await store().transaction(({ clusterPolicies }) => clusterPolicies.remove(name));
    expect(await read()).toEqual({});
    await store().transaction(async ({ clusters, clusterPolicies }) => {
      await clusterPolicies.set(name, input);
      await clusters.lock(name);
      await clusters.remove(name);
    });
    expect(await read()).toEqual({});
  });
});
