import { expect, test } from 'vitest';
import { retryHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

describeSimulation('an operation', EACH_TEST, simulation => {
  const clusterOf = async (count: number) => {
    await simulation().startServer();
    return createSimulatedCluster(simulation(), addresses(count), { hasManager: false });
  };
  const powerOff = (host: Address) => simulation().fleet.host(host).powerOff();

  test('is retried without the hosts that an administrator excludes', async () => {
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

  test('fails again at once when it is retried while the host is still down', async () => {
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

  test('cannot be retried while its only host is in flight', async () => {
    const { ports } = simulation();
    const cluster = await clusterOf(1);
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'rebooting');
    expect(await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined })).toMatchObject({
      code: 'nothing_to_retry',
    });
  });

  test('stays failed when it is retried after its only failed host left the cluster', async () => {
    const { fleet, ports } = simulation();
    const cluster = await clusterOf(2);
    fleet.host(A).addFault({ kind: 'exit', exitCode: 1, stderr: 'no', on: /^true check$/ });
    const policy: PolicyInput = { check: ['true', 'check'], timeouts: { readyS: 60 }, hosts: [A] };
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
    const policy: PolicyInput = { check: ['true', 'check'], timeouts: { readyS: 60 } };
    const id = await cluster.start('restart', policy);
    await cluster.untilEnded(id);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: [] });
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.problem).toBe(
      'budget_exhausted: 127.0.0.1 uses the only slot (max_unavailable 1); retry or skip 127.0.0.1',
    );
  });
});
