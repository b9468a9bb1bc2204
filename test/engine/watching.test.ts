import { describe, expect, test } from 'vitest';
import { setMaintenance } from '../../src/app/hosts/manage-hosts.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toldIn } from '../harness/events/told.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';
import { SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';

const HOSTS = Array.from({ length: 30 }, (_, index) => `127.5.0.${index + 1}` as Address);
const [HOST] = HOSTS as [Address];
/** More than a server can do. */
const TOO_MANY = Array.from({ length: 60 }, (_, index) => `127.5.1.${index + 1}` as Address);

simulateOnEachStore(
  'watching hosts',
  {
    per: 'test',
    kinds: SQLITE_UNLESS_LONG,
    settings: { leaseMs: 10 * MINUTE },
    prepare: simulation => simulation.startServer(),
  },
  simulation => {
    const ready = async (hosts: readonly Address[]) => {
      await simulation().enrolMachines(hosts);
      for (const host of hosts) await simulation().until(host, 'disassociated');
      // The first round is over.
      await simulation().clock.advance(2 * MINUTE);
    };
    const checksOf = (host: Address, sinceMs: number) =>
      simulation()
        .fleet.host(host)
        .journal.filter(entry => entry.atMs >= sinceMs);
    const report = () => {
      const [server] = simulation().servers;
      if (server?.engine === undefined) throw new Error('no server');
      return server.engine.healthReport();
    };
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    const told = async () => (await toldIn(simulation().store)).length;

    test('each host is checked once a minute, evenly spread, by one connection and one command', async () => {
      await ready(HOSTS);
      const { counters } = simulation().fleet;
      const [sinceMs, connections, commands] = [
        simulation().clock.now(),
        counters.connectionsTotal,
        counters.commands,
      ];
      await simulation().clock.advance(10 * MINUTE);
      const checks = HOSTS.map(host => checksOf(host, sinceMs).length);
      expect(checks.every(count => count === 10)).toBe(true);
      expect(counters.connectionsTotal - connections).toBe(sum(checks));
      expect(counters.commands - commands).toBe(sum(checks));
      expect(counters.connectionsOpen).toBe(0);
      const times = HOSTS.flatMap(host => checksOf(host, sinceMs)).map(
        ({ atMs }) => (atMs - sinceMs) % MINUTE,
      );
      const inEachQuarter = Map.groupBy(times, time => Math.floor((time * 4) / MINUTE));
      for (const quarter of inEachQuarter.values()) expect(quarter.length).toBeGreaterThan(times.length / 10);
      expect(inEachQuarter.size).toBe(4);
    });

    test('a host that is as it was has only the time written, together with others, and nothing is told', async () => {
      await ready(HOSTS);
      const [server] = simulation().servers;
      const [before, events, commits] = [
        await simulation().host(HOST),
        await told(),
        server?.control.commits ?? 0,
      ];
      await simulation().clock.advance(2 * MINUTE);
      const after = await simulation().host(HOST);
      expect(after?.lastCheck).not.toBe(before?.lastCheck);
      expect({ ...after, lastCheck: '' }).toEqual({ ...before, lastCheck: '' });
      expect(await told()).toBe(events);
      // A claim and a batch take several hosts at once: fewer than two commits for a check.
      expect((server?.control.commits ?? 0) - commits).toBeLessThan(2 * 2 * HOSTS.length);
    });

    test('a host that stops answering is asked once more, then unreachable; when it answers again it is what it was', async () => {
      await ready([HOST]);
      const host = simulation().fleet.host(HOST);
      host.addFault({ kind: 'unreachable' });
      const connects = simulation().fleet.counters.connectAttempts;
      await simulation().until(HOST, 'unreachable (unreachable)', 2 * MINUTE);
      expect(simulation().fleet.counters.connectAttempts - connects).toBe(2);
      host.clearFaults();
      await simulation().until(HOST, 'disassociated', 2 * MINUTE);
      expect((await simulation().statusesTold(HOST)).slice(-2)).toEqual([
        'disassociated → unreachable: unreachable',
        'unreachable → disassociated',
      ]);
    });

    const resultsOf = async (host: Address) =>
      ((await simulation().store.reads.healthChecks.getHistory(host)) ?? []).map(({ result }) => result);

    test('each check is in the history of its host once, whichever way it ended', async () => {
      await ready([HOST]);
      const host = simulation().fleet.host(HOST);
      const before = await resultsOf(HOST);
      expect(new Set(before)).toEqual(new Set(['passed']));
      const connects = simulation().fleet.counters.connectAttempts;
      host.addFault({ kind: 'unreachable', times: 1 });
      await simulation().clock.advance(2 * MINUTE);
      host.addFault({ kind: 'auth_rejected' });
      await simulation().until(HOST, 'unreachable (auth_rejected)', 2 * MINUTE);
      host.clearFaults();
      await simulation().until(HOST, 'disassociated', 2 * MINUTE);
      const since = (await resultsOf(HOST)).slice(before.length);
      expect(since).toEqual(['unreachable', 'passed', 'passed', 'failed', 'failed', 'passed']);
      expect(simulation().fleet.counters.connectAttempts - connects).toBe(since.length);
      const history = (await simulation().store.reads.healthChecks.getHistory(HOST)) ?? [];
      expect(history.at(-1)?.at).toBe((await simulation().host(HOST))?.lastCheck);
    });

    test('one lost connection is no lost host', async () => {
      await ready([HOST]);
      const events = await told();
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable', times: 1 });
      await simulation().clock.advance(3 * MINUTE);
      expect(await simulation().statusOf(HOST)).toBe('disassociated');
      expect(await told()).toBe(events);
    });

    test('those that stay away are asked less often', async () => {
      await ready([HOST]);
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().until(HOST, 'unreachable (unreachable)', 2 * MINUTE);
      const connects = simulation().fleet.counters.connectAttempts;
      await simulation().clock.advance(60 * MINUTE);
      // Every five minutes at most, instead of every minute.
      expect(simulation().fleet.counters.connectAttempts - connects).toBeLessThan(25);
      expect(simulation().fleet.counters.connectAttempts - connects).toBeGreaterThan(10);
    });

    test('a host that does not let us in any more is unreachable, and says so', async () => {
      await ready([HOST]);
      simulation().fleet.host(HOST).addFault({ kind: 'auth_rejected' });
      await simulation().until(HOST, 'unreachable (auth_rejected)', 2 * MINUTE);
    });

    test('a host whose login shell fails once stays as it was; where it goes on, it is unreachable and says so', async () => {
      await ready([HOST]);
      const host = simulation().fleet.host(HOST);
      host.addFault({ kind: 'no_shell', times: 1 });
      await simulation().clock.advance(2 * MINUTE);
      expect([await simulation().statusOf(HOST), host.faults?.all]).toEqual(['disassociated', []]);
      host.addFault({ kind: 'no_shell' });
      await simulation().until(HOST, 'unreachable (no_shell)', 2 * MINUTE);
      host.clearFaults();
      await simulation().until(HOST, 'disassociated', 10 * MINUTE);
    });

    test('a boot is noticed, and the facts are asked for again', async () => {
      await ready([HOST]);
      const { machine } = simulation().fleet.host(HOST);
      machine.cpus = 16;
      machine.reboot();
      await simulation().clock.advance(4 * MINUTE);
      expect(await simulation().host(HOST)).toMatchObject({ bootId: machine.bootId, cpus: 16 });
      expect(
        simulation()
          .commandsOn(HOST)
          .filter(command => command === 'facts').length,
      ).toBe(2);
    });

    test('a host that hangs makes nobody late', async () => {
      await ready(HOSTS);
      simulation().fleet.host(HOST).addFault({ kind: 'frozen' });
      await simulation().clock.advance(2 * MINUTE);
      for (let count = 0; count < 60; count += 1) {
        await simulation().clock.advance(1000);
        expect(await report()).toMatchObject({ state: 'ok' });
      }
    });

    test('what happens to a host that people work on is told as such', async () => {
      await ready([HOST]);
      await setMaintenance(simulation().ports, LOCAL_ACTOR, { address: HOST, on: true, reason: 'new disks' });
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().until(HOST, 'unreachable (unreachable)', 2 * MINUTE);
      const items = await toldIn(simulation().store, { host: HOST, type: 'host.status' });
      expect(items.at(-1)?.data).toMatchObject({ to: 'unreachable', in_maintenance: true });
    });

    test('a host that answers nonsense is unreachable, and says so; that is no silence', async () => {
      const some = HOSTS.slice(0, 5);
      await ready(some);
      for (const host of some) simulation().fleet.host(host).addFault({ kind: 'exit', exitCode: 3 });
      await simulation().clock.advance(5 * MINUTE);
      for (const host of some)
        expect(await simulation().statusOf(host)).toBe('unreachable (unexpected_output)');
      expect(await report()).toMatchObject({ state: 'ok' });
    });

    test.each([3, 9, 600])('a clock that was set back by %i minutes keeps nobody waiting', async minutes => {
      await ready(HOSTS);
      const before = simulation().fleet.counters.commands;
      simulation().clock.setWallClockBack(minutes * MINUTE);
      // The next heartbeat notices.
      await simulation().clock.advance(6 * MINUTE);
      expect(simulation().fleet.counters.commands - before).toBeGreaterThan(2 * HOSTS.length);
    });

    test('a clock that was set forward by an hour does not have everybody checked at once', async () => {
      await ready(HOSTS);
      simulation().clock.setWallClockBack(-60 * MINUTE);
      const before = simulation().fleet.counters.commands;
      await simulation().clock.advance(2000);
      expect(simulation().fleet.counters.commands - before).toBeLessThan(HOSTS.length);
    });

    test('hosts that people work on are lost each for itself, however many', async () => {
      const some = HOSTS.slice(0, 5);
      await ready(some);
      for (const address of some) {
        await setMaintenance(simulation().ports, LOCAL_ACTOR, { address, on: true, reason: 'move' });
        simulation().fleet.host(address).addFault({ kind: 'unreachable' });
      }
      await simulation().clock.advance(5 * MINUTE);
      for (const host of some) expect(await simulation().statusOf(host)).toBe('unreachable (unreachable)');
      expect(await report()).toMatchObject({ state: 'ok' });
    });

    test('facts are refreshed every hour', async () => {
      await ready([HOST]);
      simulation().fleet.host(HOST).machine.memoryKib = 123_456;
      await simulation().clock.advance(65 * MINUTE);
      expect((await simulation().host(HOST))?.memoryKib).toBe(123_456);
    });

    test('after a long stop hosts are checked at their place in the interval, not all at once', async () => {
      await ready(HOSTS);
      const [server] = simulation().servers;
      await server?.engine?.stop(0);
      server?.control.kill();
      await simulation().clock.advance(60 * MINUTE);
      const sinceMs = simulation().clock.now();
      await simulation().startServer();
      await simulation().clock.advance(1000);
      expect(sum(HOSTS.map(host => checksOf(host, sinceMs).length))).toBeLessThan(6);
      await simulation().clock.advance(MINUTE);
      expect(HOSTS.every(host => checksOf(host, sinceMs).length > 0)).toBe(true);
    });

    describe('when most hosts stop answering at once', () => {
      test.each([3, 5, 12, 30])(
        'of %i, the server takes it for its own fault: statuses are kept',
        async count => {
          const hosts = HOSTS.slice(0, count);
          await ready(hosts);
          const events = await told();
          for (const host of hosts) simulation().fleet.host(host).addFault({ kind: 'unreachable' });
          await simulation().clock.advance(10 * MINUTE);
          for (const host of hosts) {
            expect(await simulation().statusOf(host)).toBe('disassociated');
            // Only those from before it noticed.
            const silences = (await resultsOf(host)).filter(result => result === 'unreachable');
            expect(silences.length).toBeLessThanOrEqual(2);
          }
          expect(await told()).toBe(events);
          expect(await report()).toMatchObject({ state: 'partitioned', hosts: count, unreachable: 0 });
          for (const host of hosts) simulation().fleet.host(host).clearFaults();
          await simulation().clock.advance(3 * MINUTE);
          expect(await report()).toMatchObject({ state: 'ok', detail: '' });
          expect(await told()).toBe(events);
        },
      );

      test('but hosts that do not let us in have answered', async () => {
        const hosts = HOSTS.slice(0, 10);
        await ready(hosts);
        for (const host of hosts) simulation().fleet.host(host).addFault({ kind: 'auth_rejected' });
        await simulation().clock.advance(5 * MINUTE);
        for (const host of hosts)
          expect(await simulation().statusOf(host)).toBe('unreachable (auth_rejected)');
        expect(await report()).toMatchObject({ state: 'ok' });
      });

      test('but some of them may be lost', async () => {
        await ready(HOSTS);
        const some = HOSTS.slice(0, 10);
        for (const host of some) simulation().fleet.host(host).addFault({ kind: 'unreachable' });
        await simulation().clock.advance(5 * MINUTE);
        for (const host of some) expect(await simulation().statusOf(host)).toBe('unreachable (unreachable)');
        expect(await report()).toMatchObject({ state: 'ok', unreachable: 10 });
        for (const host of HOSTS.slice(10)) expect(await simulation().statusOf(host)).toBe('disassociated');
      });
    });
  },
);

describe('a server with more to do than it can', () => {
  test('checks hosts less often, and says how late it is', async () => {
    const { simulation, end } = await simulate('sqlite', {
      settings: { leaseMs: 10 * MINUTE, maxChecks: 1 },
      times: { connectMs: 3000 },
    });
    try {
      const { engine } = await simulation.startServer();
      await simulation.enrolMachines(TOO_MANY);
      for (const host of TOO_MANY) await simulation.until(host, 'disassociated');
      const sinceMs = simulation.clock.now();
      await simulation.clock.advance(15 * MINUTE);
      const report = await engine?.healthReport();
      expect(report?.state).toBe('lagging');
      expect(report?.lagS).toBeGreaterThan(30);
      const counts = TOO_MANY.map(
        host => simulation.fleet.host(host).journal.filter(entry => entry.atMs >= sinceMs).length,
      );
      // One every three seconds: a round takes three minutes, and nobody is left out.
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
      expect(Math.max(...counts)).toBeLessThanOrEqual(7);
    } finally {
      await end();
    }
  });
});
