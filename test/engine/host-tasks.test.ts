import { expect, test } from 'vitest';
import { addMember, removeMember } from '../../src/app/clusters/change-members.ts';
import { rebootstrapHost } from '../../src/app/hosts/rebootstrap-host.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import type { Fault } from '../../src/simulator/faults.ts';
import { listOutboxEntries } from '../harness/events/outbox-entries.ts';
import { CRASHES } from '../harness/faults.ts';
import { SetupDrivers, TOKEN } from '../harness/simulation/setup-drivers.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';

const HOST = '127.0.0.1' as Address;
const web = toRecordName('web');

/**
 * Creates a cluster whose network and container manager run commands on hosts, and one host that is not
 * enrolled yet.
 */
async function createFixture() {
  const servers = new SetupDrivers(() => HOST);
  const { simulation, end } = await simulate('sqlite', {
    drivers: servers.drivers,
    commonSimulators: [servers.simulator],
  });
  await simulation.makeCluster('web', { name: 'nodes', type: 'tasked' }, { type: 'tasked', options: {} });
  const machine = simulation.addHost(HOST);
  const {
    machine: { services },
  } = simulation.fleet.host(HOST);
  return {
    ...{ simulation, servers, end, machine, services },
    enrol: () => simulation.enrol(HOST, { cluster: web }),
    leave: () => removeMember(simulation.ports, LOCAL_ACTOR, web, HOST),
    enter: () => addMember(simulation.ports, LOCAL_ACTOR, web, HOST),
    problem: async () => (await simulation.store.reads.tasks.listSaved(HOST))[0]?.state.problem,
    isIdle: async () => (await simulation.store.reads.tasks.list(HOST)).length === 0,
    registrations: () => ({
      nodes: [...servers.nodes],
      leases: [...servers.leases],
      tokens: [...servers.openTokens],
      services: [...services].filter(name => name.endsWith('d') && name !== 'sshd').sort(),
    }),
  };
}

const JOINED = { nodes: [HOST], leases: [HOST], tokens: [], services: ['netd', 'noded'] };
const LEFT = { nodes: [], leases: [], tokens: [], services: [] };

async function withFixture<T>(run: (fixture: Awaited<ReturnType<typeof createFixture>>) => Promise<T>): Promise<T> {
  const fixture = await createFixture();
  try {
    return await run(fixture);
  } finally {
    await fixture.end();
  }
}

test('a host runs the commands of its network and container manager, and reverts them when it leaves', () =>
  withFixture(async ({ simulation, enrol, leave, enter, isIdle, registrations }) => {
    const { log } = await simulation.startServer();
    await enrol();
    await simulation.waitForStatus(HOST, 'active');
    expect(registrations()).toEqual(JOINED);
    await leave();
    await simulation.clock.advanceUntil(isIdle, MINUTE);
    expect(registrations()).toEqual(LEFT);
    await enter();
    await simulation.waitForStatus(HOST, 'active');
    expect(registrations()).toEqual(JOINED);
    const everything = [
      ...log,
      ...simulation.commandsRunOn(HOST),
      JSON.stringify(await listOutboxEntries(simulation.store)),
    ];
    expect(everything.join('\n')).not.toContain(TOKEN);
  }));

test.each<[string, Fault]>([
  ['its connection breaks before a command starts', { kind: 'cut', tookEffect: false, times: 3, on: /noded|netd/ }],
  ['its connection breaks after a command started', { kind: 'cut', tookEffect: true, times: 3, on: /noded|netd/ }],
  ['the first commands fail', { kind: 'exit', exitCode: 1, times: 3, on: /noded|netd/ }],
  ['it is slow', { kind: 'slow', commandMs: 20_000 }],
  ['it is temporarily unreachable', { kind: 'unreachable', times: 5 }],
])('a host joins and leaves when %s', (_case, fault) =>
  withFixture(async ({ simulation, machine, enrol, leave, isIdle, registrations }) => {
    await simulation.startServer();
    machine.addFault(fault);
    await enrol();
    await simulation.waitForStatus(HOST, 'active', 60 * MINUTE);
    await simulation.clock.advanceUntil(isIdle, 10 * MINUTE);
    expect(registrations()).toEqual(JOINED);
    machine.addFault(fault);
    await leave();
    await simulation.clock.advanceUntil(isIdle, 60 * MINUTE);
    expect(registrations()).toEqual(LEFT);
  }),
);

test('a bootstrap fails with the reason of the network when the network rejects the host', () =>
  withFixture(async ({ simulation, servers, enrol }) => {
    servers.networkError = 'the address is in use';
    await simulation.startServer();
    await enrol();
    await simulation.waitForStatus(HOST, 'failed (network)');
    expect((await simulation.host(HOST))?.reason).toBe('network: the address is in use');
    expect(simulation.commandsRunOn(HOST).join()).not.toContain('netd');
  }));

test('a bootstrap retries while /run is read-only and reports the output of the failed command', () =>
  withFixture(async ({ simulation, machine, enrol, problem, registrations }) => {
    await simulation.startServer();
    machine.addFault({ kind: 'run_unwritable' });
    await enrol();
    await simulation.clock.advance(MINUTE);
    expect(await problem()).toMatch(
      /^run_not_writable: cannot write to \/run\/hostler on the host: sh: .*: Read-only file system$/,
    );
    machine.clearFaults('run_unwritable');
    await simulation.waitForStatus(HOST, 'active');
    expect(registrations()).toEqual(JOINED);
  }));

test('a bootstrapped host waits for a network that rejects it and reports the reason', () =>
  withFixture(async ({ simulation, servers, enter, problem, registrations }) => {
    await simulation.startServer();
    await simulation.enrol(HOST);
    await simulation.waitForStatus(HOST, 'disassociated');
    servers.networkError = 'the address is in use';
    await enter();
    await simulation.clock.advance(5 * MINUTE);
    expect([await simulation.describeStatus(HOST), await problem()]).toEqual([
      'disassociated',
      'network: the address is in use',
    ]);
    servers.networkError = undefined;
    await simulation.waitForStatus(HOST, 'active');
    expect(registrations()).toEqual(JOINED);
  }));

test('an unreachable host that leaves loses its node at once, and its services stay when it does not come back', () =>
  withFixture(async ({ simulation, servers, machine, enrol, leave, isIdle, services }) => {
    await simulation.startServer();
    await enrol();
    await simulation.waitForStatus(HOST, 'active');
    machine.addFault({ kind: 'unreachable' });
    await leave();
    await simulation.clock.advanceUntil(async () => !servers.nodes.has(HOST), MINUTE);
    await simulation.clock.advanceUntil(isIdle, 180 * MINUTE);
    expect(services).toContain('noded');
    expect([...servers.leases]).toEqual([]);
  }));

test('a removed host loses its node and its network lease without further commands on it', () =>
  withFixture(async ({ simulation, servers, enrol, isIdle }) => {
    await simulation.startServer();
    await enrol();
    await simulation.waitForStatus(HOST, 'active');
    const before = simulation.commandsRunOn(HOST).length;
    await simulation.remove(HOST);
    await simulation.clock.advanceUntil(isIdle, MINUTE);
    expect([[...servers.nodes], [...servers.leases]]).toEqual([[], []]);
    expect(simulation.commandsRunOn(HOST)).toHaveLength(before);
  }));

test.each(['leaves', 'is removed'])(
  'a host that was never reached keeps an existing node of the same address when it %s',
  how =>
    withFixture(async ({ simulation, servers, machine, enrol, leave, isIdle }) => {
      servers.nodes.add(HOST);
      machine.addFault({ kind: 'unreachable' });
      await simulation.startServer();
      await enrol();
      await simulation.clock.advance(MINUTE);
      if (how === 'leaves') await leave();
      else await simulation.remove(HOST);
      await simulation.clock.advance(10 * MINUTE);
      if (how === 'is removed') expect(await isIdle()).toBe(true);
      expect([...servers.nodes]).toEqual([HOST]);
    }),
);

test('a reinstalled host joins again although its node still exists', () =>
  withFixture(async ({ simulation, servers, enrol, services, isIdle }) => {
    await simulation.startServer();
    await enrol();
    await simulation.waitForStatus(HOST, 'active');
    services.delete('noded');
    servers.unreadyNodes.add(HOST);
    await rebootstrapHost(simulation.ports, LOCAL_ACTOR, HOST);
    await simulation.clock.advanceUntil(isIdle, 10 * MINUTE);
    expect([await simulation.describeStatus(HOST), services.has('noded')]).toEqual(['active', true]);
  }));

test('a host leaves after an outage of its container manager', () =>
  withFixture(async ({ simulation, servers, enrol, leave, isIdle, registrations, problem }) => {
    await simulation.startServer();
    await enrol();
    await simulation.waitForStatus(HOST, 'active');
    servers.managerFaults.inject('fail_manager');
    await leave();
    await simulation.clock.advance(30 * MINUTE);
    expect(await problem()).toBe('container_manager: connection refused');
    servers.managerFaults.revert('fail_manager');
    await simulation.clock.advanceUntil(isIdle, 10 * MINUTE);
    expect(registrations()).toEqual(LEFT);
  }));

test.each(CRASHES)('a host joins and leaves with the fault %s at any commit', async fault => {
  for (let commit = 1; ; commit += 1) {
    const hasSurvived = await withFixture(async ({ simulation, enrol, leave, isIdle, registrations }) => {
      await enrol();
      const { control } = await simulation.startServer({ atCommit: { commit, fault } });
      const isActive = async () => (await simulation.describeStatus(HOST)) === 'active';
      await simulation.clock.advanceUntil(async () => control.isKilled || isActive(), MINUTE);
      if (control.isKilled) await simulation.startServer();
      await simulation.waitForStatus(HOST, 'active', 2 * MINUTE);
      expect(registrations()).toEqual(JOINED);
      await leave();
      await simulation.clock.advanceUntil(async () => control.isKilled || isIdle(), MINUTE);
      if (control.isKilled) await simulation.startServer();
      await simulation.clock.advanceUntil(isIdle, 2 * MINUTE);
      expect(registrations()).toEqual(LEFT);
      return !control.isKilled;
    });
    if (hasSurvived) {
      expect(commit).toBeGreaterThan(12);
      return;
    }
  }
});
