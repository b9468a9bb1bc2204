import { expect, test } from 'vitest';
import { replaceMembers } from '../../../src/app/clusters/change-members.ts';
import { removeCluster } from '../../../src/app/clusters/manage-clusters.ts';
import { retryHosts, skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import type { HostPhase } from '../../../src/domain/vocabulary.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];
const WITH_CHECK = { check: ['true', 'check'] as const, timeouts: { readyS: 60 } };

describeSimulation('the retry of an operation', EACH_TEST, simulation => {
  const clusterOf = async (count: number) => {
    await simulation().startServer();
    return createSimulatedCluster(simulation(), addresses(count), { hasManager: false });
  };
  const powerOff = (host: Address) => simulation().fleet.host(host).powerOff();

  test('continues without the hosts that an administrator excludes', async () => {
    const { ports } = simulation();
    const cluster = await clusterOf(3);
    powerOff(C);
    const policy: PolicyInput = { hosts: [A, B] };
    const id = await cluster.start('restart', policy);
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.problem).toMatch(/^budget_exhausted: 127\.0\.0\.3 /);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined, exclude: [C] });
    await cluster.untilEnded(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual(['finished', 'done done']);
  });

  test('skips excluded hosts of the plan as unhealthy', async () => {
    const { ports } = simulation();
    const cluster = await clusterOf(3);
    powerOff(A);
    const id = await cluster.start('restart');
    await cluster.untilEnded(id);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined, exclude: [A] });
    await cluster.untilEnded(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual(['finished', 'skipped done done']);
    expect((await cluster.planned(id, A))?.skipReason).toBe('unhealthy');
  });

  test('fails at once while the host is still down', async () => {
    const { ports, clock } = simulation();
    const cluster = await clusterOf(2);
    powerOff(A);
    const id = await cluster.start('restart');
    await cluster.untilEnded(id);
    await clock.advance(10 * 60_000);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    const startedMs = clock.monotonicMs();
    await cluster.untilEnded(id);
    expect(clock.monotonicMs() - startedMs).toBeLessThan(30_000);
    expect((await cluster.operation(id))?.state).toBe('failed');
  });

  test('is rejected while its only host is in flight', async () => {
    const { ports } = simulation();
    const cluster = await clusterOf(1);
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'rebooting');
    expect(await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined })).toMatchObject({
      code: 'nothing_to_retry',
    });
  });

  test('changes nothing after its only failed host left the cluster', async () => {
    const { fleet, ports } = simulation();
    const cluster = await clusterOf(2);
    fleet.host(A).addFault({ kind: 'exit', exitCode: 1, stderr: 'no', on: /^true check$/ });
    const policy: PolicyInput = { ...WITH_CHECK, hosts: [A] };
    const id = await cluster.start('restart', policy);
    await cluster.untilEnded(id);
    await simulation().remove(A);
    const before = await cluster.operation(id);
    const retried = await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    expect(retried instanceof AppError).toBe(false);
    await simulation().clock.advance(60_000);
    expect(await cluster.operation(id)).toMatchObject({ state: 'failed', problem: before?.problem });
    expect(await cluster.phases(id)).toBe('failed');
  });

  test('suggests retry and skip when a failed host keeps the only slot', async () => {
    const { fleet, ports } = simulation();
    const cluster = await clusterOf(3);
    fleet.host(A).addFault({ kind: 'exit', exitCode: 1, on: /^true check$/ });
    const id = await cluster.start('restart', WITH_CHECK);
    await cluster.untilEnded(id);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: [] });
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.problem).toBe(
      'budget_exhausted: 127.0.0.1 uses the only slot (max_unavailable 1); retry or skip 127.0.0.1',
    );
  });
});

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

describeSimulation('a host that failed its check', EACH_TEST, simulation => {
  test.each([
    ['upgrade', 'debian', ''],
    ['deploy', 'coreos', '44.1'],
  ] as const)('is verified and uncordoned by a retry when nothing is left to %s', async (kind, os, version) => {
    const { ports, manager, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A], { os });
    fleet.host(A).addFault({ kind: 'exit', exitCode: 1, stderr: 'no service', on: /^true check$/ });
    const id = await cluster.start(kind, WITH_CHECK, version);
    const planned = () => cluster.planned(id, A);
    const until = (phase: HostPhase) => cluster.untilPhase(id, A, phase);
    const ended = (state: string) => cluster.until(async () => (await cluster.operation(id))?.state === state);

    await until('failed');
    await ended('failed');
    expect((await planned())?.problem).toMatch(/^check_failed: .*; the node is still cordoned$/);
    expect(manager.node(A).cordonedBy).toBe(`hostler/${id}/1`);
    const boots = fleet.host(A).boots.length;

    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: [A] });
    await until('failed');
    await ended('failed');
    expect((await planned())?.problem).toMatch(/^check_failed: /);

    fleet.host(A).clearFaults();
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    await until('done');
    await ended('finished');
    expect(await planned()).toMatchObject({ attempt: 3, wasNoop: true, isCordoned: false });
    expect(manager.node(A).cordonedBy).toBeUndefined();
    expect(fleet.host(A).boots).toHaveLength(boots);
    expect(simulation().servers.flatMap(({ warnings }) => warnings)).not.toContain('step failed unexpectedly');
  });
});
