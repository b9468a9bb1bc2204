import { expect, test } from 'vitest';
import { setMaintenance } from '../../../src/app/hosts/manage-hosts.ts';
import { dryRun } from '../../../src/app/operations/dry-run.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

describeSimulation('a dry run', EACH_TEST, simulation => {
  const clusterOf = async (count: number) => {
    await simulation().startServer();
    return createSimulatedCluster(simulation(), addresses(count), { hasManager: false });
  };
  const plan = async (policyInput: PolicyInput) => {
    const request = { kind: 'restart', version: '', idempotencyKey: null, policyInput } as const;
    const planned = await dryRun(simulation().ports, { cluster: toRecordName('c'), ...request });
    if (planned instanceof AppError) throw new Error(planned.detail);
    return planned;
  };

  test('says that the operation would not start while a member in maintenance uses all slots', async () => {
    const { ports } = simulation();
    await clusterOf(2);
    await setMaintenance(ports, LOCAL_ACTOR, { address: A, on: true, reason: 'new disk' });
    expect(await plan({})).toMatchObject({
      wouldStart: false,
      blockedBy: [{ host: A, reason: 'maintenance', detail: 'new disk', since: expect.stringMatching(/^\d{4}-/) }],
    });
    for (const policy of [{ maxUnavailable: 2 }, { unhealthy: 'exclude' }] as const)
      expect(await plan(policy)).toMatchObject({ wouldStart: true, blockedBy: [] });
  });

  test('says that the operation would start after a single lost packet', async () => {
    const { fleet, clock, store } = simulation();
    await clusterOf(3);
    fleet.host(C).addFault({ kind: 'unreachable', times: 1 });
    const isDetected = async () => (await store.reads.rolloutSnapshots.listOutages(toRecordName('c'))).length > 0;
    await clock.advanceUntil(isDetected, 200_000);
    expect(await plan({})).toMatchObject({ wouldStart: true, blockedBy: [] });
  });

  test('predicts that the operation does not start while a disassociated member outside the plan uses all slots', async () => {
    const cluster = await clusterOf(3);
    await simulation().store.transaction(({ hosts }) => hosts.setStatus([C], 'disassociated'));
    const policy = { hosts: [A, B] };
    expect(await plan(policy)).toMatchObject({ wouldStart: false, blockedBy: [{ host: C }] });
    const id = await cluster.start('restart', policy);
    await simulation().clock.advanceUntil(async () => (await cluster.operation(id))?.state === 'failed', 30_000);
    expect((await cluster.operation(id))?.problem).toMatch(/^budget_exhausted: 127.0.0.3 \(not registered/);
  });

  test('lists the hosts that the operation skips as unhealthy', async () => {
    await clusterOf(3);
    simulation().fleet.host(B).powerOff();
    await simulation().waitForStatus(B, 'unreachable (unreachable)');
    const { hosts } = await plan({ unhealthy: 'exclude' });
    const skipped = hosts.map(({ host, problem }) => [host.address, problem.split(':')[0]]);
    expect(skipped).toEqual([
      [B, 'unhealthy'],
      [A, ''],
      [C, ''],
    ]);
  });
});
