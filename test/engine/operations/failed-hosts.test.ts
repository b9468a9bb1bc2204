import { expect, test } from 'vitest';
import { removeHost } from '../../../src/app/hosts/manage-hosts.ts';
import { markHostsSkipped } from '../../../src/app/operations/operation-hosts.ts';
import { retryHosts, skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { runUnitOfWork } from '../../../src/app/unit-of-work.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { asFailed } from '../../../src/domain/rollout/operation-host.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];
const WITH_CHECK = { check: ['true', 'check'], timeouts: { readyS: 60 } } as const;
const FAILING_CHECK = { kind: 'exit', exitCode: 1, stderr: 'no', on: /^true check$/ } as const;
/** Excludes commands that only download. */
const APPLY_COMMAND = /^(?!.*--download-only).*apt-get .*upgrade/;
const NO_ROOT = { kind: 'exit', exitCode: 1, stderr: 'sudo: no', on: /^(sudo .*)?id -u$/ } as const;
describeSimulation('a failed host', EACH_TEST, simulation => {
  const retry = (id: string, hosts?: readonly Address[]) => retryHosts(simulation().ports, LOCAL_ACTOR, { id, hosts });
  const skip = (id: string, hosts: readonly Address[]) => skipHosts(simulation().ports, LOCAL_ACTOR, { id, hosts });

  test.each(['fail', 'pause'] as const)(
    'can be retried alone, and another failed host still counts as failed with on_failure %s',
    async onFailure => {
      const { fleet } = simulation();
      await simulation().startServer();
      const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
      for (const host of [A, B]) fleet.host(host).addFault(FAILING_CHECK);
      const id = await cluster.start('restart', { maxUnavailable: 2, onFailure, ...WITH_CHECK });
      const currentState = async () => {
        const { state, pause } = (await cluster.operation(id)) ?? {};
        return pause ?? state;
      };
      const stopped = onFailure === 'fail' ? 'failed' : 'failures';
      await cluster.until(async () => (await cluster.phases(id)) === 'failed failed');
      await cluster.until(async () => (await currentState()) === stopped);
      fleet.host(A).clearFaults();
      await retry(id, [A]);
      await cluster.untilPhase(id, A, 'done');
      await cluster.until(async () => (await currentState()) === stopped);
      expect(await cluster.phases(id)).toBe('done failed');
    },
  );

  test('does not block a retry after it left the cluster, and still counts as failed', async () => {
    const { fleet, ports } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    fleet.host(A).addFault(FAILING_CHECK);
    const id = await cluster.start('restart', WITH_CHECK);
    await cluster.untilEnded(id);
    await removeHost(ports, LOCAL_ACTOR, A);
    await retry(id);
    await cluster.untilEnded(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual(['failed', 'failed done']);
  });

  test('counts as skipped with the error when it was skipped while in flight', async () => {
    const { fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('upgrade', { reboot: 'always' });
    await cluster.untilPhase(id, A, 'staging');
    fleet.host(A).addFault({ kind: 'exit', exitCode: 100, stderr: 'E: broken', on: APPLY_COMMAND });
    await cluster.untilPhase(id, A, 'applying');
    await skip(id, [A]);
    await cluster.untilEnded(id);
    expect((await cluster.planned(id, A))?.problem).toMatch(/^command_failed: apt-get exited with 100/);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual(['finished', 'skipped done']);
  });

  test('counts as skipped when it fails and is skipped at the same time', async () => {
    const { store, ports } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart', { minHealthyS: 500 });
    await cluster.untilPhase(id, A, 'verifying');
    const stale = await cluster.planned(id, A);
    if (stale === undefined) throw new Error('the host is not in the plan');
    // The task of the host ends after the caller has read the host and before it marks the host as skipped.
    await store.transaction(async ({ tasks, operationHosts }) => {
      await tasks.deleteForOperation(id, [A]);
      const failure = { problem: 'check_failed: no', holdsSlot: true };
      await operationHosts.update(id, asFailed(stale, '2030-01-01T00:00:00.000000', failure));
    });
    await runUnitOfWork(ports, LOCAL_ACTOR, async unitOfWork => {
      const operation = await unitOfWork.records.operations.lock(id);
      if (operation) await markHostsSkipped(unitOfWork, operation, [stale], 'by_hand');
    });
    expect(await cluster.planned(id, A)).toMatchObject({ phase: 'skipped', holdsSlot: false });
  });

  test('does not block other control plane nodes when it failed before any change', async () => {
    const { fleet, manager } = simulation();
    await simulation().startServer();
    manager.controlPlane = [A, B];
    const cluster = await createSimulatedCluster(simulation(), [A, B, C]);
    fleet.host(A).addFault(NO_ROOT);
    const id = await cluster.start('restart', { maxFailures: 1 });
    await cluster.untilEnded(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual(['finished', 'failed done done']);
  });

  test('is named as the cause of the wait when it is a canary', async () => {
    const { fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    fleet.host(A).addFault(NO_ROOT);
    const id = await cluster.start('restart', { maxFailures: 1, canary: 1 });
    await cluster.until(async () => (await cluster.operation(id))?.problem === `waiting for ${A}`);
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.problem).toBe(`budget_exhausted: waited 600 s for ${A}`);
  });
});
