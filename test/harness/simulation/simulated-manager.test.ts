import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { cordonOwner } from '../../../src/domain/rollout/operation-host.ts';
import { containerManagerConforms } from '../../../src/drivers/container-manager/conformance.ts';
import type { ContainerManager } from '../../../src/drivers/container-manager/container-manager.ts';
import { VirtualClock } from '../../../src/lib/time/virtual-clock.ts';
import { managerRecord } from '../manager-record.ts';
import { simulateOnEachStore } from './on-each-store.ts';
import { SimulatedManager } from './simulated-manager.ts';
import type { PodSpec } from './simulated-pods.ts';

const NODE = '127.0.0.1' as Address;
const MARK = cordonOwner('one', 1);

function ask(state: SimulatedManager): ContainerManager {
  return state.driver.open(managerRecord({}));
}

function open(clock = new VirtualClock()) {
  const state = new SimulatedManager({ clock });
  return { ...ask(state), state, clock };
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

describe('the pods of a simulated container manager', () => {
  test('are gone some time after their eviction was accepted, and only then the node is drained', async () => {
    const { drain, clock } = await withPods(
      { name: 'a', goneAfterMs: 3000 },
      { name: 'b', goneAfterMs: 5000 },
    );
    expect(await drain()).toBe('draining, 2 left');
    await clock.advance(3000);
    expect(await drain()).toBe('draining, 1 left');
    await clock.advance(2000);
    expect(await drain()).toBe('drained');
  });

  test('of a node that nobody drains stay', async () => {
    const { node, clock } = await withPods({ name: 'a' });
    await clock.advance(60_000);
    expect(node.pods.names).toEqual(['a']);
  });

  test('that belong to their node are left there', async () => {
    const { drain, node } = await withPods({ name: 'daemon', isDaemon: true }, { name: 'a' });
    expect(await drain(true)).toBe('drained');
    expect(node.pods.names).toEqual(['daemon']);
  });

  test('refuse as long as their disruption budget says', async () => {
    const { drain, clock } = await withPods({ name: 'a', refusesForMs: 60_000 });
    expect(await drain()).toBe('draining, 1 left');
    await clock.advance(59_999);
    expect(await drain()).toBe('draining, 1 left');
    await clock.advance(1);
    expect(await drain()).toBe('drained');
  });

  test('without a controller keep all from being asked', async () => {
    const { drain, node } = await withPods({ name: 'a' }, { name: 'alone', hasController: false });
    expect(await drain()).toBe('refused');
    expect(node.pods.names).toEqual(['a', 'alone']);
  });

  test('that cannot be evicted keep the others from nothing', async () => {
    const { drain, node } = await withPods({ name: 'a', evictionError: 'two budgets' }, { name: 'b' });
    expect(await drain()).toBe('refused');
    expect(node.pods.names).toEqual(['a']);
  });

  test.each<[string, Omit<PodSpec, 'name'>]>([
    ['has no controller', { hasController: false }],
    ['refuses', { refusesForMs: Number.POSITIVE_INFINITY }],
    ['cannot be evicted', { evictionError: 'two budgets' }],
  ])('go by force also when one %s, and take their time', async (_what, spec) => {
    const { drain, clock } = await withPods({ name: 'a', goneAfterMs: 1000, ...spec });
    expect(await drain(true)).toBe('draining, 1 left');
    await clock.advance(1000);
    expect(await drain()).toBe('drained');
  });
});

describe('a simulated container manager', () => {
  test('writes down every call, and every cordon with its mark', async () => {
    const { state, clock, cordon, uncordon, register } = open();
    await register({ address: NODE, hostname: '' });
    await cordon(NODE, MARK);
    await cordon(NODE, MARK);
    await uncordon(NODE, cordonOwner('two', 1));
    await clock.advance(1000);
    await uncordon(NODE, MARK);
    state.node(NODE).cordonedBy = 'somebody';
    const atMs = clock.now();
    expect(state.calls.map(({ name, answer }) => `${name}: ${answer}`)).toEqual([
      'register: undefined',
      'cordon: cordoned',
      'cordon: cordoned',
      'uncordon: not_owner',
      'uncordon: uncordoned',
    ]);
    expect(state.calls[1]).toMatchObject({ atMs: atMs - 1000, args: [NODE, MARK] });
    expect(state.cordonChanges).toEqual([
      { atMs: atMs - 1000, node: NODE, cordonedBy: MARK },
      { atMs, node: NODE, cordonedBy: null },
      { atMs, node: NODE, cordonedBy: 'somebody' },
    ]);
  });

  test('breaks down in all that it does or in some of it, does nothing then, and is mended', async () => {
    const { state, cordon, register, report } = open();
    await register({ address: NODE, hostname: '' });
    state.breakDown('cordon');
    await expect(cordon(NODE, MARK)).rejects.toThrow('it is away');
    expect(await report(NODE)).toMatchObject({ schedulable: true });
    state.breakDown();
    await expect(report(NODE)).rejects.toThrow('it is away');
    state.mend();
    expect(await cordon(NODE, MARK)).toBe('cordoned');
  });

  test('says what it was told to say of its control plane, and of disruptions', async () => {
    const { state, controlPlane, checkDisruption, register } = open();
    await register({ address: NODE, hostname: '' });
    state.controlPlane = [NODE];
    state.node(NODE).disruptionProblem = 'the last replica of db is here';
    expect(await controlPlane()).toEqual([NODE]);
    expect(await checkDisruption(NODE)).toBe('the last replica of db is here');
  });
});

simulateOnEachStore('hosts in a simulated container manager', { per: 'test' }, simulation => {
  const enrol = async () => {
    await simulation().makeCluster('web', { name: 'pods', type: 'simulated' });
    const server = await simulation().startServer();
    await simulation().enrolMachines([NODE], {}, { cluster: toRecordName('web') });
    await simulation().until(NODE, 'active');
    return server;
  };

  test('become nodes of it, which stay when the server is killed, and of which that asks nothing any more', async () => {
    const { control } = await enrol();
    control.kill();
    void control.manager(ask(simulation().manager)).remove(NODE);
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
    ['heard of late', { heardAfterMs: 5000, readyAfterMs: 0 }, ['old, ready', 'new, ready']],
    ['ready late', { heardAfterMs: 0, readyAfterMs: 5000 }, ['new, unready', 'new, ready']],
  ])('that have booted are %s', async (_what, delays, expected) => {
    await enrol();
    const { manager, fleet, clock } = simulation();
    manager.bootDelays = delays;
    const host = fleet.host(NODE);
    const old = host.power.bootId;
    const said = async () => {
      const report = await ask(manager).report(NODE);
      if (report.state !== 'registered') return report.state;
      return `${report.bootId === old ? 'old' : 'new'}, ${report.ready ? 'ready' : 'unready'}`;
    };
    expect(await said()).toBe('old, ready');
    host.powerOff();
    host.powerOn();
    await clock.advanceUntil(() => host.isUp, 60_000);
    const first = await said();
    await clock.advance(5000);
    expect([first, await said()]).toEqual(expected);
  });
});
