import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import { simulate } from '../../harness/simulation/simulate.ts';
import type { Simulation } from '../../harness/simulation/simulation.ts';
import type { SimulationOptions } from '../../harness/simulation/simulation-options.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const SIX = addresses(6);
const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

/** Tests with one server each, on SQLite only, because the behaviour does not depend on the store. */
function describeWithServer(title: string, options: SimulationOptions, suite: (simulation: () => Simulation) => void) {
  describe(title, () => {
    let world: Awaited<ReturnType<typeof simulate>>;
    beforeEach(async () => {
      world = await simulate('sqlite', options);
      await world.simulation.startServer();
    });
    afterEach(() => world.end());
    suite(() => world.simulation);
  });
}

describeWithServer('unreachable hosts', {}, simulation => {
  test('are not all restarted at once when they respond again', async () => {
    const { fleet, clock } = simulation();
    const hosts = addresses(8);
    const cluster = await createSimulatedCluster(simulation(), hosts, { hasManager: false });
    const down = hosts.slice(0, 4).map(host => fleet.host(host));
    for (const host of down) host.addFault({ kind: 'unreachable' });
    await clock.advance(10 * MINUTE);
    for (const host of down) expect(await simulation().describeStatus(host.address)).toBe('unreachable (unreachable)');
    const id = await cluster.start('restart', { wait: true });
    await clock.advance(20_000);
    for (const host of down) host.clearFaults();
    let maxDown = 0;
    await cluster.until(async () => {
      maxDown = Math.max(maxDown, [...fleet.hosts].filter(({ isUp }) => !isUp).length);
      return (await cluster.operation(id))?.state === 'finished';
    });
    expect(maxDown).toBe(1);
    for (const { boots } of fleet.hosts) expect(boots).toHaveLength(2);
  });

  test('do not block the preparation of other hosts', async () => {
    const { fleet, clock } = simulation();
    const hosts = addresses(6);
    const cluster = await createSimulatedCluster(simulation(), hosts, { hasManager: false });
    for (const host of hosts.slice(0, 2)) fleet.host(host).addFault({ kind: 'unreachable' });
    await clock.advance(10 * MINUTE);
    const policy = { maxUnavailable: 3, maxFailures: '100%', stageParallel: 2 } as const;
    const id = await cluster.start('restart', policy);
    await clock.advance(2 * MINUTE);
    expect(await cluster.phases(id)).toMatch(/^preflight preflight done/);
  });
});

const SLOW = { latencies: { bootMs: 200_000 } };

describeWithServer('an image that boots slower than the reboot timeout', SLOW, simulation => {
  test.each([
    [1, 'with a container manager', true],
    [2, 'with a container manager', true],
    [1, 'without a container manager', false],
    [2, 'without a container manager', false],
  ])(
    'stops the operation after %i failed hosts, the value of max_unavailable, %s',
    async (maxUnavailable, _manager, hasManager) => {
      const { fleet, manager } = simulation();
      const cluster = await createSimulatedCluster(simulation(), SIX, { os: 'coreos', hasManager });
      for (const host of SIX) fleet.host(host).addFault({ kind: 'rolled_back' });
      const timeouts = { rebootS: 120, readyS: 600 };
      const policy: PolicyInput = { maxUnavailable, maxFailures: '100%', timeouts };
      const id = await cluster.start('deploy', policy, '99.1');
      await cluster.untilEnded(id);
      expect(await cluster.operation(id)).toMatchObject({
        state: 'failed',
        problem: expect.stringMatching(/^budget_exhausted: /),
      });
      expect((await cluster.phases(id)).split(' ').filter(phase => phase === 'failed')).toHaveLength(maxUnavailable);
      expect([...fleet.hosts].filter(({ boots }) => boots.length > 1)).toHaveLength(maxUnavailable);
      const cordoned = manager.nodes.filter(({ cordonedBy }) => cordonedBy !== undefined);
      expect(cordoned).toHaveLength(hasManager ? maxUnavailable : 0);
    },
  );
});

describeWithServer('nodes that stay cordoned', {}, simulation => {
  test('never exceed max_unavailable, even when all hosts may fail', async () => {
    const { manager } = simulation();
    const cluster = await createSimulatedCluster(simulation(), SIX);
    for (const host of SIX) manager.node(host).pods.add({ name: 'alone', hasController: false });
    manager.inject('fail_manager', 'uncordon');
    const id = await cluster.start('restart', { maxFailures: '100%', timeouts: { readyS: 60 } });
    await cluster.untilEnded(id);
    expect(await cluster.planned(id, A)).toMatchObject({
      phase: 'failed',
      isCordoned: true,
      holdsSlot: true,
    });
    expect(manager.nodes.filter(({ cordonedBy }) => cordonedBy !== undefined)).toHaveLength(1);
  });
});

describeWithServer('a control plane node', {}, simulation => {
  test('blocks the restart of the other control plane nodes when it does not come back', async () => {
    const { fleet, manager } = simulation();
    const cluster = await createSimulatedCluster(simulation(), [A, B, C]);
    manager.controlPlane = [A, B, C];
    const timeouts = { rebootS: 120, readyS: 60 };
    const id = await cluster.start('restart', { maxUnavailable: 2, maxFailures: 1, timeouts });
    await cluster.untilPhase(id, A, 'rebooting');
    fleet.host(A).addFault({ kind: 'unreachable' });
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.state).toBe('failed');
    expect((await cluster.planned(id, A))?.phase).toBe('failed');
    for (const host of [B, C]) expect(fleet.host(host).boots).toHaveLength(1);
  });
});
