// What goes wrong on one host after the other stops before it has gone through the cluster.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import { simulate } from '../../harness/simulation/simulate.ts';
import type { Simulation } from '../../harness/simulation/simulation.ts';
import type { WorldOptions } from '../../harness/simulation/world-options.ts';
import { MINUTE } from '../../harness/simulation/world-options.ts';
import { addresses, operatedCluster } from './operated-cluster.ts';

const SIX = addresses(6);
const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

/** Tests with one server each. What the store says of hosts is the same on both: one is enough here. */
function simulated(what: string, options: WorldOptions, suite: (simulation: () => Simulation) => void) {
  describe(what, () => {
    let world: Awaited<ReturnType<typeof simulate>>;
    beforeEach(async () => {
      world = await simulate('sqlite', options);
      await world.simulation.startServer();
    });
    afterEach(() => world.end());
    suite(() => world.simulation);
  });
}

simulated('hosts that are down', {}, simulation => {
  test('and answer again are not all restarted at once', async () => {
    const { fleet, clock } = simulation();
    const hosts = addresses(8);
    const cluster = await operatedCluster(simulation(), hosts, { hasManager: false });
    const down = hosts.slice(0, 4).map(host => fleet.host(host));
    for (const host of down) host.addFault({ kind: 'unreachable' });
    await clock.advance(10 * MINUTE);
    for (const host of down)
      expect(await simulation().statusOf(host.address)).toBe('unreachable (unreachable)');
    const id = await cluster.start('restart', { wait: true });
    await clock.advance(20_000);
    for (const host of down) host.clearFaults();
    let most = 0;
    await cluster.until(async () => {
      most = Math.max(most, [...fleet.hosts].filter(({ isUp }) => !isUp).length);
      return (await cluster.operation(id))?.state === 'finished';
    });
    expect(most).toBe(1);
    for (const { boots } of fleet.hosts) expect(boots).toHaveLength(2);
  });

  test('do not keep others from being prepared', async () => {
    const { fleet, clock } = simulation();
    const hosts = addresses(6);
    const cluster = await operatedCluster(simulation(), hosts, { hasManager: false });
    for (const host of hosts.slice(0, 2)) fleet.host(host).addFault({ kind: 'unreachable' });
    await clock.advance(10 * MINUTE);
    const wish = { maxUnavailable: 3, maxFailures: '100%', stageParallel: 2 } as const;
    const id = await cluster.start('restart', wish);
    await clock.advance(2 * MINUTE);
    expect(await cluster.phases(id)).toMatch(/^preflight preflight done/);
  });
});

const SLOW = { times: { bootMs: 200_000 } };

simulated('a bad image that takes longer to come back than it may', SLOW, simulation => {
  test.each([
    [1, 'with a container manager', true],
    [2, 'with a container manager', true],
    [1, 'without one', false],
    [2, 'without one', false],
  ])('stops after %i, as many as may be down, %s', async (maxUnavailable, _what, hasManager) => {
    const { fleet, manager } = simulation();
    const cluster = await operatedCluster(simulation(), SIX, { os: 'coreos', hasManager });
    for (const host of SIX) fleet.host(host).addFault({ kind: 'rolled_back' });
    const timeouts = { rebootS: 120, readyS: 600 };
    const wish: PolicyInput = { maxUnavailable, maxFailures: '100%', timeouts };
    const id = await cluster.start('deploy', wish, '99.1');
    await cluster.ended(id);
    expect(await cluster.operation(id)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/^budget_exhausted: /),
    });
    expect((await cluster.phases(id)).split(' ').filter(phase => phase === 'failed')).toHaveLength(
      maxUnavailable,
    );
    expect([...fleet.hosts].filter(({ boots }) => boots.length > 1)).toHaveLength(maxUnavailable);
    const cordoned = manager.nodes.filter(({ cordonedBy }) => cordonedBy !== undefined);
    expect(cordoned).toHaveLength(hasManager ? maxUnavailable : 0);
  });
});

simulated('nodes that are left cordoned', {}, simulation => {
  test('are as many as may be down, however many may fail', async () => {
    const { manager } = simulation();
    const cluster = await operatedCluster(simulation(), SIX);
    for (const host of SIX) manager.node(host).pods.add({ name: 'alone', hasController: false });
    manager.breakDown('uncordon');
    const id = await cluster.start('restart', { maxFailures: '100%', timeouts: { readyS: 60 } });
    await cluster.ended(id);
    expect(await cluster.planned(id, A)).toMatchObject({
      phase: 'failed',
      isCordoned: true,
      holdsSlot: true,
    });
    expect(manager.nodes.filter(({ cordonedBy }) => cordonedBy !== undefined)).toHaveLength(1);
  });
});

simulated('a node of the control plane', {}, simulation => {
  test('that never comes back keeps the others from being restarted', async () => {
    const { fleet, manager } = simulation();
    const cluster = await operatedCluster(simulation(), [A, B, C]);
    manager.controlPlane = [A, B, C];
    const timeouts = { rebootS: 120, readyS: 60 };
    const id = await cluster.start('restart', { maxUnavailable: 2, maxFailures: 1, timeouts });
    await cluster.inPhase(id, A, 'rebooting');
    fleet.host(A).addFault({ kind: 'unreachable' });
    await cluster.ended(id);
    expect((await cluster.operation(id))?.state).toBe('failed');
    expect((await cluster.planned(id, A))?.phase).toBe('failed');
    for (const host of [B, C]) expect(fleet.host(host).boots).toHaveLength(1);
  });
});
