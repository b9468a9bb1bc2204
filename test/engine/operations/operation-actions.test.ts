import { expect, test } from 'vitest';
import { setMaintenance } from '../../../src/app/hosts/manage-hosts.ts';
import { cancelOperation, pauseOperation, resumeOperation } from '../../../src/app/operations/control-operation.ts';
import { skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { listOutboxEntries } from '../../harness/events/outbox-entries.ts';
import { describeSimulation } from '../../harness/simulation/simulate.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

describeSimulation('an operation during actions of users', { per: 'test' }, simulation => {
  const countStateEvents = async (id: string) =>
    (await listOutboxEntries(simulation().store, { type: 'operation.state', subject: id })).length;

  test('is paused and cancelled once when the request is repeated', async () => {
    const { ports } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'rebooting');
    const paused = await pauseOperation(ports, LOCAL_ACTOR, id);
    expect(paused).toMatchObject({ state: 'paused', pause: 'manual' });
    const countBefore = await countStateEvents(id);
    expect(await pauseOperation(ports, LOCAL_ACTOR, id)).toEqual(paused);
    expect(await countStateEvents(id)).toBe(countBefore);
    expect(await cancelOperation(ports, LOCAL_ACTOR, id)).toMatchObject({ state: 'cancelling' });
    expect(await cancelOperation(ports, LOCAL_ACTOR, id)).toMatchObject({ state: 'cancelling' });
    expect(await countStateEvents(id)).toBe(countBefore + 1);
    await cluster.untilEnded(id);
    const ended = await cluster.operation(id);
    expect(await cancelOperation(ports, LOCAL_ACTOR, id)).toEqual(ended);
    expect(await cluster.phases(id)).toBe('done skipped');
    for (const rejected of [pauseOperation, resumeOperation])
      expect(await rejected(ports, LOCAL_ACTOR, id)).toBeInstanceOf(AppError);
  });

  test('rejects maintenance for a host that is draining', async () => {
    const { ports, manager } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A]);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'draining');
    const maintenance = { address: A, on: true, reason: 'disk' };
    expect(await setMaintenance(ports, LOCAL_ACTOR, maintenance)).toMatchObject({
      code: 'host_in_operation',
    });
    expect((await simulation().host(A))?.maintenance).toBeNull();
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done');
    expect(await setMaintenance(ports, LOCAL_ACTOR, maintenance)).toEqual({ on: true, reason: 'disk' });
  });

  test('prepares a host again that was in maintenance during its staging', async () => {
    const { ports, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A], { hasManager: false });
    const id = await cluster.start('upgrade');
    await cluster.untilPhase(id, A, 'staging');
    const on = { address: A, on: true, reason: 'disk' };
    expect(await setMaintenance(ports, LOCAL_ACTOR, on)).toEqual({ on: true, reason: 'disk' });
    expect(await cluster.phases(id)).toBe('pending');
    expect(await simulation().store.reads.tasks.list(A)).toEqual([]);
    // The running step ends without an effect on the host.
    await clock.advance(MINUTE);
    const jobCommands = () =>
      simulation()
        .commandsRunOn(A)
        .filter(command => command.startsWith('job: '));
    const before = jobCommands();
    await clock.advance(2 * MINUTE);
    expect([await cluster.phases(id), jobCommands()]).toEqual(['pending', before]);
    await setMaintenance(ports, LOCAL_ACTOR, { address: A, on: false, reason: '' });
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done');
  });

  test('waits for a host that was skipped while healthy and goes down later', async () => {
    const { ports, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B, C], { hasManager: false });
    const id = await cluster.start('restart', { order: [C, A, B], minHealthyS: 300 });
    await cluster.untilPhase(id, C, 'verifying');
    await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [A] });
    expect((await cluster.operation(id))?.ignoredHosts).toEqual([]);
    fleet.host(A).addFault({ kind: 'unreachable' });
    await simulation().waitForStatus(A, 'unreachable (unreachable)');
    await cluster.untilPhase(id, C, 'done');
    await cluster.until(
      async () => (await cluster.operation(id))?.problem.startsWith(`waiting for ${A} (unreachable since `) === true,
    );
    expect(fleet.host(B).boots).toHaveLength(1);
  });

  test('counts a host that was skipped while down again after it was active', async () => {
    const { ports, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    fleet.host(A).addFault({ kind: 'unreachable' });
    await simulation().waitForStatus(A, 'unreachable (unreachable)');
    const id = await cluster.start('restart', { minHealthyS: 500 });
    await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [A] });
    expect((await cluster.operation(id))?.ignoredHosts).toEqual([A]);
    await cluster.untilPhase(id, B, 'verifying');
    expect((await cluster.operation(id))?.ignoredHosts).toEqual([A]);
    fleet.host(A).clearFaults();
    await simulation().waitForStatus(A, 'active');
    await cluster.until(async () => (await cluster.operation(id))?.ignoredHosts.length === 0);
    expect(await cluster.phases(id)).toBe('skipped verifying');
  });
});
