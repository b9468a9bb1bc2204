// What hosts have to do to come into a network and a container manager, and to leave them, whatever happens on the way.

import { expect, test } from 'vitest';
import { addMember, removeMember } from '../../src/app/clusters/change-members.ts';
import { rebootstrapHost } from '../../src/app/hosts/rebootstrap-host.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import type { Fault } from '../../src/simulator/faults.ts';
import { toldIn } from '../harness/events/told.ts';
import type { Crash } from '../harness/simulation/killable-server.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { Tasked, TOKEN } from '../harness/simulation/tasked.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';

const HOST = '127.0.0.1' as Address;
const web = toRecordName('web');

/** A cluster whose network and container manager have hosts do something, and one host that nobody has enrolled yet. */
async function tasked() {
  const servers = new Tasked(() => HOST);
  const { simulation, end } = await simulate('sqlite', {
    drivers: servers.drivers,
    commonFakes: [servers.fake],
  });
  await simulation.makeCluster('web', { name: 'nodes', type: 'tasked' }, { type: 'tasked', options: {} });
  const machine = simulation.addMachine(HOST);
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
    known: () => ({
      nodes: [...servers.nodes],
      leases: [...servers.leases],
      tokens: [...servers.openTokens],
      services: [...services].filter(name => name.endsWith('d') && name !== 'sshd').sort(),
    }),
  };
}

const IN = { nodes: [HOST], leases: [HOST], tokens: [], services: ['netd', 'noded'] };
const OUT = { nodes: [], leases: [], tokens: [], services: [] };

async function within<T>(work: (lab: Awaited<ReturnType<typeof tasked>>) => Promise<T>): Promise<T> {
  const lab = await tasked();
  try {
    return await work(lab);
  } finally {
    await lab.end();
  }
}

test('a host does what its network and its container manager ask for, and undoes it when it leaves', () =>
  within(async ({ simulation, enrol, leave, enter, isIdle, known }) => {
    const { log } = await simulation.startServer();
    await enrol();
    await simulation.until(HOST, 'active');
    expect(known()).toEqual(IN);
    await leave();
    await simulation.clock.advanceUntil(isIdle, MINUTE);
    expect(known()).toEqual(OUT);
    await enter();
    await simulation.until(HOST, 'active');
    expect(known()).toEqual(IN);
    const everything = [
      ...log,
      ...simulation.commandsOn(HOST),
      JSON.stringify(await toldIn(simulation.store)),
    ];
    expect(everything.join('\n')).not.toContain(TOKEN);
  }));

test.each<[string, Fault]>([
  [
    'its connection is cut before a command has begun',
    { kind: 'cut', tookEffect: false, times: 3, on: /noded|netd/ },
  ],
  [
    'its connection is cut after a command has begun',
    { kind: 'cut', tookEffect: true, times: 3, on: /noded|netd/ },
  ],
  ['commands fail at first', { kind: 'exit', exitCode: 1, times: 3, on: /noded|netd/ }],
  ['it is slow', { kind: 'slow', commandMs: 20_000 }],
  ['it is away for a while', { kind: 'unreachable', times: 5 }],
])('a host joins and leaves also when %s', (_what, fault) =>
  within(async ({ simulation, machine, enrol, leave, isIdle, known }) => {
    await simulation.startServer();
    machine.addFault(fault);
    await enrol();
    await simulation.until(HOST, 'active', 60 * MINUTE);
    await simulation.clock.advanceUntil(isIdle, 10 * MINUTE);
    expect(known()).toEqual(IN);
    machine.addFault(fault);
    await leave();
    await simulation.clock.advanceUntil(isIdle, 60 * MINUTE);
    expect(known()).toEqual(OUT);
  }),
);

test('a network that no host can enter fails the bootstrap with its reason', () =>
  within(async ({ simulation, servers, enrol }) => {
    servers.networkProblem = 'somebody else is there';
    await simulation.startServer();
    await enrol();
    await simulation.until(HOST, 'failed (network)');
    expect((await simulation.host(HOST))?.reason).toBe('network: somebody else is there');
    expect(simulation.commandsOn(HOST).join()).not.toContain('netd');
  }));

test('a bootstrap retries while /run is read-only, and reports the output of the command that failed', () =>
  within(async ({ simulation, machine, enrol, problem, known }) => {
    await simulation.startServer();
    machine.addFault({ kind: 'run_unwritable' });
    await enrol();
    await simulation.clock.advance(MINUTE);
    expect(await problem()).toMatch(
      /^run_not_writable: cannot write to \/run\/hostler on the host: sh: .*: Read-only file system$/,
    );
    machine.clearFaults('run_unwritable');
    await simulation.until(HOST, 'active');
    expect(known()).toEqual(IN);
  }));

test('a host that is ready waits for a network that it cannot enter, and says so', () =>
  within(async ({ simulation, servers, enter, problem, known }) => {
    await simulation.startServer();
    await simulation.enrol(HOST);
    await simulation.until(HOST, 'disassociated');
    servers.networkProblem = 'somebody else is there';
    await enter();
    await simulation.clock.advance(5 * MINUTE);
    expect([await simulation.statusOf(HOST), await problem()]).toEqual([
      'disassociated',
      'network: somebody else is there',
    ]);
    servers.networkProblem = undefined;
    await simulation.until(HOST, 'active');
    expect(known()).toEqual(IN);
  }));

test('a host that is down is no node any more at once, and is left as it is when it stays down', () =>
  within(async ({ simulation, servers, machine, enrol, leave, isIdle, services }) => {
    await simulation.startServer();
    await enrol();
    await simulation.until(HOST, 'active');
    machine.addFault({ kind: 'unreachable' });
    await leave();
    await simulation.clock.advanceUntil(async () => !servers.nodes.has(HOST), MINUTE);
    await simulation.clock.advanceUntil(isIdle, 180 * MINUTE);
    expect(services).toContain('noded');
    expect([...servers.leases]).toEqual([]);
  }));

test('a host that is removed altogether is forgotten by the servers, and nothing is run on it any more', () =>
  within(async ({ simulation, servers, enrol, isIdle }) => {
    await simulation.startServer();
    await enrol();
    await simulation.until(HOST, 'active');
    const before = simulation.commandsOn(HOST).length;
    await simulation.remove(HOST);
    await simulation.clock.advanceUntil(isIdle, MINUTE);
    expect([[...servers.nodes], [...servers.leases]]).toEqual([[], []]);
    expect(simulation.commandsOn(HOST)).toHaveLength(before);
  }));

test.each(['leaves', 'is removed'])(
  'a host that nobody has ever been on %s without taking the node of somebody else at its address with it',
  how =>
    within(async ({ simulation, servers, machine, enrol, leave, isIdle }) => {
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

test('a host that was installed anew joins again, though its node is still there', () =>
  within(async ({ simulation, servers, enrol, services, isIdle }) => {
    await simulation.startServer();
    await enrol();
    await simulation.until(HOST, 'active');
    services.delete('noded');
    servers.silent.add(HOST);
    await rebootstrapHost(simulation.ports, LOCAL_ACTOR, HOST);
    await simulation.clock.advanceUntil(isIdle, 10 * MINUTE);
    expect([await simulation.statusOf(HOST), services.has('noded')]).toEqual(['active', true]);
  }));

test('a host that leaves while its container manager is away leaves when that is back', () =>
  within(async ({ simulation, servers, enrol, leave, isIdle, known, problem }) => {
    await simulation.startServer();
    await enrol();
    await simulation.until(HOST, 'active');
    servers.isManagerAway = true;
    await leave();
    await simulation.clock.advance(30 * MINUTE);
    expect(await problem()).toBe('container_manager: it is away');
    servers.isManagerAway = false;
    await simulation.clock.advanceUntil(isIdle, 10 * MINUTE);
    expect(known()).toEqual(OUT);
  }));

test.each(['before', 'after'] as const)(
  'a host joins and leaves when a server dies just %s any of its commits',
  async when => {
    for (let commit = 1; ; commit += 1) {
      const crash: Crash = { commit, when };
      const hasLived = await within(async ({ simulation, enrol, leave, isIdle, known }) => {
        await enrol();
        const { control } = await simulation.startServer({ crash });
        const isActive = async () => (await simulation.statusOf(HOST)) === 'active';
        await simulation.clock.advanceUntil(async () => control.isDead || isActive(), MINUTE);
        if (control.isDead) await simulation.startServer();
        await simulation.until(HOST, 'active', 2 * MINUTE);
        expect(known()).toEqual(IN);
        await leave();
        await simulation.clock.advanceUntil(async () => control.isDead || isIdle(), MINUTE);
        if (control.isDead) await simulation.startServer();
        await simulation.clock.advanceUntil(isIdle, 2 * MINUTE);
        expect(known()).toEqual(OUT);
        return !control.isDead;
      });
      if (hasLived) {
        expect(commit).toBeGreaterThan(12);
        return;
      }
    }
  },
);
