import { expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { EACH_TEST, simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import { operatedCluster } from './operated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
simulateOnEachStore('a container manager that does not answer', EACH_TEST, simulation => {
  test('when it is to drain a node: that is given up, and the node uncordoned', async () => {
    const { manager, fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A]);
    manager.hang('drain');
    const id = await cluster.start('restart', { drain: { timeoutS: 60 } });
    await cluster.ended(id);
    expect(await cluster.planned(id, A)).toMatchObject({
      phase: 'failed',
      problem: expect.stringContaining('no response within 60 s'),
      isCordoned: false,
    });
    expect(manager.node(A).cordonedBy).toBeUndefined();
    expect(fleet.host(A).boots).toHaveLength(1);
  });

  test('for a while: it is asked again', async () => {
    const { manager, clock } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A]);
    manager.hang('drain');
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'draining');
    await clock.advance(1000);
    manager.mend();
    await clock.advance(50_000);
    expect(await cluster.phases(id)).toBe('draining');
    await cluster.ended(id);
    expect((await cluster.operation(id))?.state).toBe('finished');
  });

  test('when it is asked for its control plane: nobody is started on, and others are not held up', async () => {
    const { manager, clock } = simulation();
    await simulation().startServer();
    const waiting = await operatedCluster(simulation(), [A]);
    const other = await operatedCluster(simulation(), [B], { name: 'd', hasManager: false });
    manager.hang('controlPlane');
    const id = await waiting.start('restart');
    const otherId = await other.start('restart');
    await other.ended(otherId);
    expect((await other.operation(otherId))?.state).toBe('finished');
    await clock.advance(20_000);
    expect(await waiting.operation(id)).toMatchObject({
      state: 'planned',
      problem: 'waiting for the container manager m: no response within 10 s',
    });
    expect(await waiting.phases(id)).toBe('pending');
    manager.mend();
    await waiting.ended(id);
    expect((await waiting.operation(id))?.state).toBe('finished');
  });
});
