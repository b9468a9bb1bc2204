// Hosts that are given up, and what of that counts: for the failures there are, for their slots, and for people who have skipped them.

import { expect, test } from 'vitest';
import { removeHost } from '../../../src/app/hosts/manage-hosts.ts';
import { markHostsSkipped } from '../../../src/app/operations/operation-hosts.ts';
import { retryHosts, skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { runUnitOfWork } from '../../../src/app/unit-of-work.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { asFailed } from '../../../src/domain/rollout/operation-host.ts';
import { EACH_TEST, simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import { operatedCluster } from './operated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];
const CHECKED = { check: ['true', 'check'], timeouts: { readyS: 60 } } as const;
const NO_CHECK = { kind: 'exit', exitCode: 1, stderr: 'no', on: /^true check$/ } as const;
/** Not what only downloads. */
const APPLIED = /^(?!.*--download-only).*apt-get .*upgrade/;
const NO_ROOT = { kind: 'exit', exitCode: 1, stderr: 'sudo: no', on: /^(sudo .*)?id -u$/ } as const;
simulateOnEachStore('a host that is given up', EACH_TEST, simulation => {
  const retry = (id: string, hosts?: readonly Address[]) =>
    retryHosts(simulation().ports, LOCAL_ACTOR, { id, hosts });
  const skip = (id: string, hosts: readonly Address[]) =>
    skipHosts(simulation().ports, LOCAL_ACTOR, { id, hosts });

  test.each(['fail', 'pause'] as const)(
    'is retried without another one, and the operation still counts that one as failed; on_failure %s',
    async onFailure => {
      const { fleet } = simulation();
      await simulation().startServer();
      const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
      for (const host of [A, B]) fleet.host(host).addFault(NO_CHECK);
      const id = await cluster.start('restart', { maxUnavailable: 2, onFailure, ...CHECKED });
      const standing = async () => {
        const { state, pause } = (await cluster.operation(id)) ?? {};
        return pause ?? state;
      };
      const stopped = onFailure === 'fail' ? 'failed' : 'failures';
      await cluster.until(async () => (await cluster.phases(id)) === 'failed failed');
      await cluster.until(async () => (await standing()) === stopped);
      fleet.host(A).clearFaults();
      await retry(id, [A]);
      await cluster.inPhase(id, A, 'done');
      await cluster.until(async () => (await standing()) === stopped);
      expect(await cluster.phases(id)).toBe('done failed');
    },
  );

  test('and has left the cluster since does not block a retry, and still counts as failed', async () => {
    const { fleet, ports } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    fleet.host(A).addFault(NO_CHECK);
    const id = await cluster.start('restart', CHECKED);
    await cluster.ended(id);
    await removeHost(ports, LOCAL_ACTOR, A);
    await retry(id);
    await cluster.ended(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual([
      'failed',
      'failed done',
    ]);
  });

  test('while people have it skipped is skipped, and says what went wrong', async () => {
    const { fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('upgrade', { reboot: 'always' });
    await cluster.inPhase(id, A, 'staging');
    fleet.host(A).addFault({ kind: 'exit', exitCode: 100, stderr: 'E: broken', on: APPLIED });
    await cluster.inPhase(id, A, 'applying');
    await skip(id, [A]);
    await cluster.ended(id);
    expect((await cluster.planned(id, A))?.problem).toMatch(/^command_failed: apt-get exited with 100/);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual([
      'finished',
      'skipped done',
    ]);
  });

  test('at the moment at which it is skipped is skipped', async () => {
    const { store, ports } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart', { minHealthyS: 500 });
    await cluster.inPhase(id, A, 'verifying');
    const seen = await cluster.planned(id, A);
    if (seen === undefined) throw new Error('it should be in the plan');
    // Its own turn was quicker than whoever has seen it in flight.
    await store.transaction(async ({ tasks, operationHosts }) => {
      await tasks.deleteForOperation(id, [A]);
      const failure = { problem: 'check_failed: no', holdsSlot: true };
      await operationHosts.update(id, asFailed(seen, '2030-01-01T00:00:00.000000', failure));
    });
    await runUnitOfWork(ports, LOCAL_ACTOR, async under => {
      const operation = await under.records.operations.lock(id);
      if (operation) await markHostsSkipped(under, operation, [seen], 'by_hand');
    });
    expect(await cluster.planned(id, A)).toMatchObject({ phase: 'skipped', holdsSlot: false });
  });

  test('before it was touched does not keep the rest of the control plane waiting', async () => {
    const { fleet, manager } = simulation();
    await simulation().startServer();
    manager.controlPlane = [A, B];
    const cluster = await operatedCluster(simulation(), [A, B, C]);
    fleet.host(A).addFault(NO_ROOT);
    const id = await cluster.start('restart', { maxFailures: 1 });
    await cluster.ended(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual([
      'finished',
      'failed done done',
    ]);
  });

  test('as a canary is named by those that wait for it', async () => {
    const { fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    fleet.host(A).addFault(NO_ROOT);
    const id = await cluster.start('restart', { maxFailures: 1, canary: 1 });
    await cluster.until(async () => (await cluster.operation(id))?.problem === `waiting for ${A}`);
    await cluster.ended(id);
    expect((await cluster.operation(id))?.problem).toBe(`budget_exhausted: waited 600 s for ${A}`);
  });
});
