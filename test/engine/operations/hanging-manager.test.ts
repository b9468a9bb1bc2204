import { expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
describeSimulation('a container manager that hangs', EACH_TEST, simulation => {
  test('fails the host at the drain timeout and uncordons the node', async () => {
    const { manager, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A]);
    manager.inject('hang_manager', 'drain');
    const id = await cluster.start('restart', { drain: { timeoutS: 60 } });
    await cluster.untilEnded(id);
    expect(await cluster.planned(id, A)).toMatchObject({
      phase: 'failed',
      problem: expect.stringContaining('no response within 60 s'),
      isCordoned: false,
    });
    expect(manager.node(A).cordonedBy).toBeUndefined();
    expect(fleet.host(A).boots).toHaveLength(1);
  });

  test('is called again after a temporary hang during the drain', async () => {
    const { manager, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A]);
    manager.inject('hang_manager', 'drain');
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'draining');
    await clock.advance(1000);
    manager.revert('hang_manager');
    await clock.advance(50_000);
    expect(await cluster.phases(id)).toBe('draining');
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.state).toBe('finished');
  });

  test('delays the next host until a host that went down during the uncordon call is checked again', async () => {
    const { manager, fleet, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B]);
    manager.inject('hang_manager', 'uncordon');
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'uncordoning');
    await clock.advance(1000);
    fleet.host(A).addFault({ kind: 'unreachable' });
    manager.revert('hang_manager');
    await cluster.untilPhase(id, A, 'done');
    await clock.advance(60_000);
    expect(fleet.host(B).boots).toHaveLength(1);
  });

  test('blocks the start of its operation without delaying others when the control plane query hangs', async () => {
    const { manager, clock } = simulation();
    await simulation().startServer();
    const waiting = await createSimulatedCluster(simulation(), [A]);
    const other = await createSimulatedCluster(simulation(), [B], { name: 'd', hasManager: false });
    manager.inject('hang_manager', 'controlPlane');
    const id = await waiting.start('restart');
    const otherId = await other.start('restart');
    await other.untilEnded(otherId);
    expect((await other.operation(otherId))?.state).toBe('finished');
    await clock.advance(20_000);
    expect(await waiting.operation(id)).toMatchObject({
      state: 'planned',
      problem: 'waiting for the container manager m: no response within 10 s',
    });
    expect(await waiting.phases(id)).toBe('pending');
    manager.revert('hang_manager');
    await waiting.untilEnded(id);
    expect((await waiting.operation(id))?.state).toBe('finished');
  });
});
