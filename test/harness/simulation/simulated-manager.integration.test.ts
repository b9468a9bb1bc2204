import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { cordonOwner } from '../../../src/domain/rollout/operation-host.ts';
import type { ContainerManager } from '../../../src/drivers/container-manager/container-manager.ts';
import { containerManagerConforms } from '../../conformance/container-manager.ts';
import { managerContext } from '../driver-contexts.ts';
import { describeSimulation } from './simulate.ts';
import { SimulatedManager } from './simulated-manager.ts';
import type { PodSpec } from './simulated-node.ts';
import { VirtualClock } from './virtual-clock.ts';

const NODE = '127.0.0.1' as Address;
const OWNER = cordonOwner('one', 1);

function openManager(state: SimulatedManager): ContainerManager {
  return state.driver.open(managerContext({}));
}

function open(clock = new VirtualClock()) {
  const state = new SimulatedManager({ clock });
  return { ...openManager(state), state, clock };
}

containerManagerConforms('simulated', {
  open: () => open(),
  cordonByHand: async ({ state }, node) => {
    state.node(node).cordonedBy = '';
  },
});

async function withPods(...pods: readonly PodSpec[]) {
  const opened = open();
  await opened.register({ address: NODE, hostname: '' });
  const node = opened.state.node(NODE);
  node.pods.add(...pods);
  const drain = async (force = false) => {
    const report = await opened.drain(NODE, { force });
    return 'remaining' in report ? `${report.state}, ${report.remaining} left` : report.state;
  };
  return { ...opened, node, drain };
}

describe('simulated pods', () => {
  test('a node is drained when all evicted pods are gone', async () => {
    const { drain, clock } = await withPods({ name: 'a', goneAfterMs: 3000 }, { name: 'b', goneAfterMs: 5000 });
    expect(await drain()).toBe('draining, 2 left');
    await clock.advance(3000);
    expect(await drain()).toBe('draining, 1 left');
    await clock.advance(2000);
    expect(await drain()).toBe('drained');
  });

  test('stay on their node without a drain', async () => {
    const { node, clock } = await withPods({ name: 'a' });
    await clock.advance(60_000);
    expect(node.pods.names).toEqual(['a']);
  });

  test('a drain ignores daemon pods', async () => {
    const { drain, node } = await withPods({ name: 'daemon', isDaemon: true }, { name: 'a' });
    expect(await drain(true)).toBe('drained');
    expect(node.pods.names).toEqual(['daemon']);
  });

  test('a disruption budget blocks an eviction for its time', async () => {
    const { drain, clock } = await withPods({ name: 'a', blockedForMs: 60_000 });
    expect(await drain()).toBe('draining, 1 left');
    await clock.advance(59_999);
    expect(await drain()).toBe('draining, 1 left');
    await clock.advance(1);
    expect(await drain()).toBe('drained');
  });

  test('a pod without a controller prevents all evictions', async () => {
    const { drain, node } = await withPods({ name: 'a' }, { name: 'alone', hasController: false });
    expect(await drain()).toBe('refused');
    expect(node.pods.names).toEqual(['a', 'alone']);
  });

  test('a pod that cannot be evicted does not prevent other evictions', async () => {
    const { drain, node } = await withPods({ name: 'a', evictionError: 'two budgets' }, { name: 'b' });
    expect(await drain()).toBe('refused');
    expect(node.pods.names).toEqual(['a']);
  });

  test.each<[string, Omit<PodSpec, 'name'>]>([
    ['has no controller', { hasController: false }],
    ['refuses', { blockedForMs: Number.POSITIVE_INFINITY }],
    ['cannot be evicted', { evictionError: 'two budgets' }],
  ])('a forced drain removes a pod that %s', async (_case, spec) => {
    const { drain, clock } = await withPods({ name: 'a', goneAfterMs: 1000, ...spec });
    expect(await drain(true)).toBe('draining, 1 left');
    await clock.advance(1000);
    expect(await drain()).toBe('drained');
  });
});

describe('SimulatedManager', () => {
  test('records all calls, and all cordons with their owner', async () => {
    const { state, clock, cordon, uncordon, register } = open();
    await register({ address: NODE, hostname: '' });
    await cordon(NODE, OWNER);
    await cordon(NODE, OWNER);
    await uncordon(NODE, cordonOwner('two', 1));
    await clock.advance(1000);
    await uncordon(NODE, OWNER);
    state.node(NODE).cordonedBy = 'someone-else';
    const atMs = clock.now();
    expect(state.calls.map(({ name, result }) => `${name}: ${result}`)).toEqual([
      'register: undefined',
      'cordon: cordoned',
      'cordon: cordoned',
      'uncordon: not_owner',
      'uncordon: uncordoned',
    ]);
    expect(state.calls[1]).toMatchObject({ atMs: atMs - 1000, args: [NODE, OWNER] });
    expect(state.cordonChanges).toEqual([
      { atMs: atMs - 1000, node: NODE, cordonedBy: OWNER },
      { atMs, node: NODE, cordonedBy: null },
      { atMs, node: NODE, cordonedBy: 'someone-else' },
    ]);
  });

  test('fail_manager makes all or some calls throw until it is reverted', async () => {
    const { state, cordon, register, report } = open();
    await register({ address: NODE, hostname: '' });
    state.inject('fail_manager', 'cordon');
    await expect(cordon(NODE, OWNER)).rejects.toThrow('connection refused');
    expect(await report(NODE)).toMatchObject({ schedulable: true });
    state.inject('fail_manager');
    await expect(report(NODE)).rejects.toThrow('connection refused');
    state.revert('fail_manager');
    expect(await cordon(NODE, OWNER)).toBe('cordoned');
  });

  test('returns the configured control plane and disruption error', async () => {
    const { state, controlPlane, checkDisruption, register } = open();
    await register({ address: NODE, hostname: '' });
    state.controlPlane = [NODE];
    state.node(NODE).disruptionError = 'the last replica of db is here';
    expect(await controlPlane()).toEqual([NODE]);
    expect(await checkDisruption(NODE)).toBe('the last replica of db is here');
  });
});

describeSimulation('hosts in a simulated container manager', { per: 'test' }, simulation => {
  const enrol = async () => {
    await simulation().makeCluster('web', { name: 'pods', type: 'simulated' });
    const server = await simulation().startServer();
    await simulation().enrolHosts([NODE], {}, { cluster: toRecordName('web') });
    await simulation().waitForStatus(NODE, 'active');
    return server;
  };

  test('become nodes that survive a killed server, which makes no further calls', async () => {
    const { control } = await enrol();
    control.inject('kill_server');
    void control.calls(openManager(simulation().manager)).remove(NODE);
    await simulation().clock.advance(60_000);
    expect(simulation().manager.nodes.map(node => node.address)).toEqual([NODE]);
    expect(simulation().manager.calls.map(({ name }) => name)).toEqual([
      'checkConnection',
      'report',
      'joinPlan',
      'register',
    ]);
  });

  test.each([
    ['reported late', { reportedAfterMs: 5000, readyAfterMs: 0 }, ['old, ready', 'new, ready']],
    ['ready late', { reportedAfterMs: 0, readyAfterMs: 5000 }, ['new, unready', 'new, ready']],
  ])('are %s after a boot with delays', async (_case, delays, expected) => {
    await enrol();
    const { manager, fleet, clock } = simulation();
    manager.bootDelays = delays;
    const host = fleet.host(NODE);
    const oldBootId = host.power.bootId;
    const describeNode = async () => {
      const report = await openManager(manager).report(NODE);
      if (report.state !== 'registered') return report.state;
      return `${report.bootId === oldBootId ? 'old' : 'new'}, ${report.ready ? 'ready' : 'unready'}`;
    };
    expect(await describeNode()).toBe('old, ready');
    host.powerOff();
    host.powerOn();
    await clock.advanceUntil(() => host.isUp, 60_000);
    const first = await describeNode();
    await clock.advance(5000);
    expect([first, await describeNode()]).toEqual(expected);
  });
});
