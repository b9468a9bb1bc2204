// What people may ask of an operation and its hosts while it is under way, and when it is over.

import { expect, test } from 'vitest';
import { setMaintenance } from '../../../src/app/hosts/manage-hosts.ts';
import {
  cancelOperation,
  pauseOperation,
  resumeOperation,
} from '../../../src/app/operations/control-operation.ts';
import { skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { toldIn } from '../../harness/events/told.ts';
import { simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import { MINUTE } from '../../harness/simulation/world-options.ts';
import { operatedCluster } from './operated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

simulateOnEachStore('an operation that is under way', { per: 'test' }, simulation => {
  const toldOf = async (id: string) =>
    (await toldIn(simulation().store, { type: 'operation.state', subject: id })).length;

  test('is paused and cancelled once, however often that is asked', async () => {
    const { ports } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'rebooting');
    const paused = await pauseOperation(ports, LOCAL_ACTOR, id);
    expect(paused).toMatchObject({ state: 'paused', pause: 'manual' });
    const toldBefore = await toldOf(id);
    expect(await pauseOperation(ports, LOCAL_ACTOR, id)).toEqual(paused);
    expect(await toldOf(id)).toBe(toldBefore);
    expect(await cancelOperation(ports, LOCAL_ACTOR, id)).toMatchObject({ state: 'cancelling' });
    expect(await cancelOperation(ports, LOCAL_ACTOR, id)).toMatchObject({ state: 'cancelling' });
    expect(await toldOf(id)).toBe(toldBefore + 1);
    await cluster.ended(id);
    const over = await cluster.operation(id);
    expect(await cancelOperation(ports, LOCAL_ACTOR, id)).toEqual(over);
    expect(await cluster.phases(id)).toBe('done skipped');
    for (const refused of [pauseOperation, resumeOperation])
      expect(await refused(ports, LOCAL_ACTOR, id)).toBeInstanceOf(AppError);
  });

  test('keeps a host that it drains from being put into maintenance', async () => {
    const { ports, manager } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A]);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'draining');
    const wish = { address: A, on: true, reason: 'disk' };
    expect(await setMaintenance(ports, LOCAL_ACTOR, wish)).toMatchObject({ code: 'host_in_operation' });
    expect((await simulation().host(A))?.maintenance).toBeNull();
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done');
    expect(await setMaintenance(ports, LOCAL_ACTOR, wish)).toEqual({ on: true, reason: 'disk' });
  });

  test('begins anew with a host that was in maintenance while it was prepared', async () => {
    const { ports, clock } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A], { hasManager: false });
    const id = await cluster.start('upgrade');
    await cluster.inPhase(id, A, 'staging');
    const on = { address: A, on: true, reason: 'disk' };
    expect(await setMaintenance(ports, LOCAL_ACTOR, on)).toEqual({ on: true, reason: 'disk' });
    expect(await cluster.phases(id)).toBe('pending');
    expect(await simulation().store.reads.tasks.list(A)).toEqual([]);
    // The step that is under way comes to its end, and changes nothing of that.
    await clock.advance(MINUTE);
    const changing = () =>
      simulation()
        .commandsOn(A)
        .filter(command => command.startsWith('job: '));
    const before = changing();
    await clock.advance(2 * MINUTE);
    expect([await cluster.phases(id), changing()]).toEqual(['pending', before]);
    await setMaintenance(ports, LOCAL_ACTOR, { address: A, on: false, reason: '' });
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done');
  });

  test('waits for a host that was skipped while it was well, when it goes down later', async () => {
    const { ports, fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B, C], { hasManager: false });
    const id = await cluster.start('restart', { order: [C, A, B], minHealthyS: 300 });
    await cluster.inPhase(id, C, 'verifying');
    await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [A] });
    expect((await cluster.operation(id))?.ignoredHosts).toEqual([]);
    fleet.host(A).addFault({ kind: 'unreachable' });
    await simulation().until(A, 'unreachable (unreachable)');
    await cluster.inPhase(id, C, 'done');
    await cluster.until(
      async () =>
        (await cluster.operation(id))?.problem.startsWith(`waiting for ${A} (unreachable since `) === true,
    );
    expect(fleet.host(B).boots).toHaveLength(1);
  });

  test('waits for a host again that was skipped while it was down, once it was active again', async () => {
    const { ports, fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    fleet.host(A).addFault({ kind: 'unreachable' });
    await simulation().until(A, 'unreachable (unreachable)');
    const id = await cluster.start('restart', { minHealthyS: 500 });
    await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [A] });
    expect((await cluster.operation(id))?.ignoredHosts).toEqual([A]);
    await cluster.inPhase(id, B, 'verifying');
    expect((await cluster.operation(id))?.ignoredHosts).toEqual([A]);
    fleet.host(A).clearFaults();
    await simulation().until(A, 'active');
    await cluster.until(async () => (await cluster.operation(id))?.ignoredHosts.length === 0);
    expect(await cluster.phases(id)).toBe('skipped verifying');
  });
});
