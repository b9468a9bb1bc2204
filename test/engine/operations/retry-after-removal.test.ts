import { expect, test } from 'vitest';
import { replaceMembers } from '../../../src/app/clusters/change-members.ts';
import { removeCluster } from '../../../src/app/clusters/manage-clusters.ts';
import { retryHosts, skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];
const WITH_CHECK = { check: ['true', 'check'] as const, timeouts: { readyS: 60 } };
describeSimulation('an operation that failed on its first host', EACH_TEST, simulation => {
  /** The other hosts are staged. */
  async function failedOperation() {
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B, C], { hasManager: false });
    const host = simulation().fleet.host(A);
    host.addFault({ kind: 'exit', exitCode: 1, on: /^true check$/ });
    const id = await cluster.start('restart', WITH_CHECK);
    await cluster.untilEnded(id);
    expect((await cluster.phases(id)).startsWith('failed ')).toBe(true);
    host.clearFaults();
    return { ...cluster, id };
  }
  const retry = (id: string, hosts?: readonly Address[]) => retryHosts(simulation().ports, LOCAL_ACTOR, { id, hosts });
  const move = async (host: Address, to: string) => {
    const { ports, store } = simulation();
    const members = async (name: string) => (await store.reads.hosts.listMemberAddresses(toRecordName(name))).items;
    const from = await members('c');
    const remaining = from.filter(address => address !== host);
    await replaceMembers(ports, LOCAL_ACTOR, { name: toRecordName('c'), old: from, new: remaining });
    const old = await members(to);
    await replaceMembers(ports, LOCAL_ACTOR, { name: toRecordName(to), old, new: [...old, host] });
    await simulation().waitForStatus(host, 'active');
  };

  test('continues without hosts that were removed or left the cluster', async () => {
    const { fleet } = simulation();
    const { id, ...cluster } = await failedOperation();
    await simulation().makeCluster('d');
    await move(B, 'd');
    await simulation().remove(C);
    expect(await retry(id)).toMatchObject({ state: 'running' });
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.state).toBe('finished');
    expect(await cluster.phases(id)).toBe('done skipped skipped');
    for (const host of [B, C]) expect(await cluster.planned(id, host)).toMatchObject({ skipReason: 'left_cluster' });
    expect(fleet.host(B).boots).toHaveLength(1);
  });

  test('does not retry hosts that left the cluster', async () => {
    const { id, ...cluster } = await failedOperation();
    await simulation().remove(A);
    expect(await retry(id, [A])).toMatchObject({ code: 'invalid_state' });
    expect(await retry(id)).toMatchObject({ state: 'running' });
    expect(await cluster.planned(id, A)).toMatchObject({ phase: 'failed', holdsSlot: false });
  });

  test('cannot be retried after its cluster was removed', async () => {
    const { ports, clock, fleet } = simulation();
    const { id, ...cluster } = await failedOperation();
    const name = toRecordName('c');
    expect(await removeCluster(ports, LOCAL_ACTOR, { name, expected: undefined })).toBeUndefined();
    await simulation().makeCluster('c');
    expect(await retry(id)).toMatchObject({ code: 'invalid_state' });
    await clock.advance(10 * MINUTE);
    expect(await cluster.operation(id)).toMatchObject({ state: 'failed', isClusterRemoved: true });
    for (const host of [B, C]) expect(fleet.host(host).boots).toHaveLength(1);
  });

  test('keeps the task of another operation on a host when the host is skipped in the first', async () => {
    const { ports, fleet, store } = simulation();
    const { id } = await failedOperation();
    const other = await createSimulatedCluster(simulation(), [], { name: 'd', hasManager: false });
    await move(B, 'd');
    fleet.host(B).addFault({ kind: 'exit', exitCode: 1, on: /^true check$/ });
    const otherId = await other.start('restart', { ...WITH_CHECK, timeouts: { readyS: 600 } });
    await other.untilPhase(otherId, B, 'verifying');
    const tasks = await store.reads.tasks.list(B);
    expect(tasks).toMatchObject([{ kind: 'rollout', operation: otherId }]);
    await retry(id);
    expect(await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [B] })).toMatchObject({ id });
    expect(await store.reads.tasks.list(B)).toEqual(tasks);
    expect((await other.planned(otherId, B))?.abortReason).toBeNull();
    fleet.host(B).clearFaults();
    await other.untilEnded(otherId);
    expect(await other.phases(otherId)).toBe('done');
  });
});
