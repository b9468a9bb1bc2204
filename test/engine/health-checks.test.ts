import { describe, expect, test } from 'vitest';
import { setMaintenance } from '../../src/app/hosts/manage-hosts.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { listOutboxEntries } from '../harness/events/outbox-entries.ts';
import { describeSimulation, simulate } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';

const HOSTS = Array.from({ length: 30 }, (_, index) => `127.5.0.${index + 1}` as Address);
const [HOST] = HOSTS as [Address];
/** More hosts than one server can check in time. */
const TOO_MANY = Array.from({ length: 60 }, (_, index) => `127.5.1.${index + 1}` as Address);

describeSimulation(
  'health checks',
  {
    per: 'test',
    kinds: SQLITE_UNLESS_LONG,
    settings: { leaseMs: 10 * MINUTE },
    prepare: simulation => simulation.startServer(),
  },
  simulation => {
    const enrolAll = async (hosts: readonly Address[]) => {
      await simulation().enrolHosts(hosts);
      for (const host of hosts) await simulation().waitForStatus(host, 'disassociated');
      // Wait for the first round.
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
    const countEvents = async () => (await listOutboxEntries(simulation().store)).length;

    test('run once a minute per host, spread evenly, with one connection and one command', async () => {
      await enrolAll(HOSTS);
      const { counters } = simulation().fleet;
      const [sinceMs, connections, commands] = [simulation().clock.now(), counters.connectionsTotal, counters.commands];
      await simulation().clock.advance(10 * MINUTE);
      const checks = HOSTS.map(host => checksOf(host, sinceMs).length);
      expect(checks.every(count => count === 10)).toBe(true);
      expect(counters.connectionsTotal - connections).toBe(sum(checks));
      expect(counters.commands - commands).toBe(sum(checks));
      expect(counters.connectionsOpen).toBe(0);
      const times = HOSTS.flatMap(host => checksOf(host, sinceMs)).map(({ atMs }) => (atMs - sinceMs) % MINUTE);
      const inEachQuarter = Map.groupBy(times, time => Math.floor((time * 4) / MINUTE));
      for (const quarter of inEachQuarter.values()) expect(quarter.length).toBeGreaterThan(times.length / 10);
      expect(inEachQuarter.size).toBe(4);
    });

    test('update only the check time of an unchanged host, in batches and without events', async () => {
      await enrolAll(HOSTS);
      const [server] = simulation().servers;
      const [before, events, commits] = [
        await simulation().host(HOST),
        await countEvents(),
        server?.control.commits ?? 0,
      ];
      await simulation().clock.advance(2 * MINUTE);
      const after = await simulation().host(HOST);
      expect(after?.lastCheck).not.toBe(before?.lastCheck);
      expect({ ...after, lastCheck: '' }).toEqual({ ...before, lastCheck: '' });
      expect(await countEvents()).toBe(events);
      // Claims and updates are batched, so a check needs fewer than two commits.
      expect((server?.control.commits ?? 0) - commits).toBeLessThan(2 * 2 * HOSTS.length);
    });

    test('confirm an unresponsive host once, mark it unreachable, and restore its status when it responds again', async () => {
      await enrolAll([HOST]);
      const host = simulation().fleet.host(HOST);
      host.addFault({ kind: 'unreachable' });
      const connects = simulation().fleet.counters.connectAttempts;
      await simulation().waitForStatus(HOST, 'unreachable (unreachable)', 2 * MINUTE);
      expect(simulation().fleet.counters.connectAttempts - connects).toBe(2);
      host.clearFaults();
      await simulation().waitForStatus(HOST, 'disassociated', 2 * MINUTE);
      expect((await simulation().emittedStatuses(HOST)).slice(-2)).toEqual([
        'disassociated → unreachable: unreachable',
        'unreachable → disassociated',
      ]);
    });

    const resultsOf = async (host: Address) =>
      ((await simulation().store.reads.healthChecks.getHistory(host)) ?? []).map(({ result }) => result);

    test('appear in the history of their host exactly once', async () => {
      await enrolAll([HOST]);
      const host = simulation().fleet.host(HOST);
      const before = await resultsOf(HOST);
      expect(new Set(before)).toEqual(new Set(['passed']));
      const connects = simulation().fleet.counters.connectAttempts;
      host.addFault({ kind: 'unreachable', times: 1 });
      await simulation().clock.advance(2 * MINUTE);
      host.addFault({ kind: 'auth_rejected' });
      await simulation().waitForStatus(HOST, 'unreachable (auth_rejected)', 2 * MINUTE);
      host.clearFaults();
      await simulation().waitForStatus(HOST, 'disassociated', 2 * MINUTE);
      const since = (await resultsOf(HOST)).slice(before.length);
      expect(since).toEqual(['unreachable', 'passed', 'passed', 'failed', 'failed', 'passed']);
      expect(simulation().fleet.counters.connectAttempts - connects).toBe(since.length);
      const history = (await simulation().store.reads.healthChecks.getHistory(HOST)) ?? [];
      expect(history.at(-1)?.at).toBe((await simulation().host(HOST))?.lastCheck);
    });

    test('tolerate one lost connection', async () => {
      await enrolAll([HOST]);
      const events = await countEvents();
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable', times: 1 });
      await simulation().clock.advance(3 * MINUTE);
      expect(await simulation().describeStatus(HOST)).toBe('disassociated');
      expect(await countEvents()).toBe(events);
    });

    test('back off for hosts that stay unreachable', async () => {
      await enrolAll([HOST]);
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().waitForStatus(HOST, 'unreachable (unreachable)', 2 * MINUTE);
      const connects = simulation().fleet.counters.connectAttempts;
      await simulation().clock.advance(60 * MINUTE);
      // Every five minutes instead of every minute.
      expect(simulation().fleet.counters.connectAttempts - connects).toBeLessThan(25);
      expect(simulation().fleet.counters.connectAttempts - connects).toBeGreaterThan(10);
    });

    test('mark a host unreachable that rejects the login', async () => {
      await enrolAll([HOST]);
      simulation().fleet.host(HOST).addFault({ kind: 'auth_rejected' });
      await simulation().waitForStatus(HOST, 'unreachable (auth_rejected)', 2 * MINUTE);
    });

    test('tolerate one failure of the login shell and report repeated failures as no_shell', async () => {
      await enrolAll([HOST]);
      const host = simulation().fleet.host(HOST);
      host.addFault({ kind: 'no_shell', times: 1 });
      await simulation().clock.advance(2 * MINUTE);
      expect([await simulation().describeStatus(HOST), host.faults?.all]).toEqual(['disassociated', []]);
      host.addFault({ kind: 'no_shell' });
      await simulation().waitForStatus(HOST, 'unreachable (no_shell)', 2 * MINUTE);
      host.clearFaults();
      await simulation().waitForStatus(HOST, 'disassociated', 10 * MINUTE);
    });

    test('detect a reboot and refresh the facts', async () => {
      await enrolAll([HOST]);
      const { machine } = simulation().fleet.host(HOST);
      machine.cpus = 16;
      machine.power.reboot();
      await simulation().clock.advance(4 * MINUTE);
      expect(await simulation().host(HOST)).toMatchObject({ bootId: machine.bootId, cpus: 16 });
      expect(
        simulation()
          .commandsRunOn(HOST)
          .filter(command => command === 'facts').length,
      ).toBe(2);
    });

    test('stay on time when one host is frozen', async () => {
      await enrolAll(HOSTS);
      simulation().fleet.host(HOST).addFault({ kind: 'frozen' });
      await simulation().clock.advance(2 * MINUTE);
      for (let count = 0; count < 60; count += 1) {
        await simulation().clock.advance(1000);
        expect(await report()).toMatchObject({ state: 'ok' });
      }
    });

    test('mark events of a host in maintenance as such', async () => {
      await enrolAll([HOST]);
      await setMaintenance(simulation().ports, LOCAL_ACTOR, { address: HOST, on: true, reason: 'new disks' });
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().waitForStatus(HOST, 'unreachable (unreachable)', 2 * MINUTE);
      const items = await listOutboxEntries(simulation().store, { host: HOST, type: 'host.status' });
      expect(items.at(-1)?.data).toMatchObject({ to: 'unreachable', in_maintenance: true });
    });

    test('report unreadable output as unreachable, not as a partition', async () => {
      const some = HOSTS.slice(0, 5);
      await enrolAll(some);
      for (const host of some) simulation().fleet.host(host).addFault({ kind: 'exit', exitCode: 3 });
      await simulation().clock.advance(5 * MINUTE);
      for (const host of some) expect(await simulation().describeStatus(host)).toBe('unreachable (unexpected_output)');
      expect(await report()).toMatchObject({ state: 'ok' });
    });

    test.each([3, 9, 600])('continue after the clock was set back by %i minutes', async minutes => {
      await enrolAll(HOSTS);
      const before = simulation().fleet.counters.commands;
      simulation().clock.setWallClockBack(minutes * MINUTE);
      // The next heartbeat detects the clock change.
      await simulation().clock.advance(6 * MINUTE);
      expect(simulation().fleet.counters.commands - before).toBeGreaterThan(2 * HOSTS.length);
    });

    test('do not all run at once after the clock was set forward by an hour', async () => {
      await enrolAll(HOSTS);
      simulation().clock.setWallClockBack(-60 * MINUTE);
      const before = simulation().fleet.counters.commands;
      await simulation().clock.advance(2000);
      expect(simulation().fleet.counters.commands - before).toBeLessThan(HOSTS.length);
    });

    test('do not report a partition for hosts in maintenance', async () => {
      const some = HOSTS.slice(0, 5);
      await enrolAll(some);
      for (const address of some) {
        await setMaintenance(simulation().ports, LOCAL_ACTOR, { address, on: true, reason: 'move' });
        simulation().fleet.host(address).addFault({ kind: 'unreachable' });
      }
      await simulation().clock.advance(5 * MINUTE);
      for (const host of some) expect(await simulation().describeStatus(host)).toBe('unreachable (unreachable)');
      expect(await report()).toMatchObject({ state: 'ok' });
    });

    test('refresh the facts every hour', async () => {
      await enrolAll([HOST]);
      simulation().fleet.host(HOST).machine.memoryKib = 123_456;
      await simulation().clock.advance(65 * MINUTE);
      expect((await simulation().host(HOST))?.memoryKib).toBe(123_456);
    });

    test('keep their place in the interval after a long stop', async () => {
      await enrolAll(HOSTS);
      const [server] = simulation().servers;
      await server?.engine?.stop(0);
      server?.control.inject('kill_server');
      await simulation().clock.advance(60 * MINUTE);
      const sinceMs = simulation().clock.now();
      await simulation().startServer();
      await simulation().clock.advance(1000);
      expect(sum(HOSTS.map(host => checksOf(host, sinceMs).length))).toBeLessThan(6);
      await simulation().clock.advance(MINUTE);
      expect(HOSTS.every(host => checksOf(host, sinceMs).length > 0)).toBe(true);
    });

    describe('when most hosts stop responding at once', () => {
      test.each([3, 5, 12, 30])('report a partition of %i hosts and keep their statuses', async count => {
        const hosts = HOSTS.slice(0, count);
        await enrolAll(hosts);
        const events = await countEvents();
        for (const host of hosts) simulation().fleet.host(host).addFault({ kind: 'unreachable' });
        await simulation().clock.advance(10 * MINUTE);
        for (const host of hosts) {
          expect(await simulation().describeStatus(host)).toBe('disassociated');
          // Results from before the partition was detected.
          const silences = (await resultsOf(host)).filter(result => result === 'unreachable');
          expect(silences.length).toBeLessThanOrEqual(2);
        }
        expect(await countEvents()).toBe(events);
        expect(await report()).toMatchObject({ state: 'partitioned', hosts: count, unreachable: 0 });
        for (const host of hosts) simulation().fleet.host(host).clearFaults();
        await simulation().clock.advance(3 * MINUTE);
        expect(await report()).toMatchObject({ state: 'ok', detail: '' });
        expect(await countEvents()).toBe(events);
      });

      test('do not count rejected logins as missing responses', async () => {
        const hosts = HOSTS.slice(0, 10);
        await enrolAll(hosts);
        for (const host of hosts) simulation().fleet.host(host).addFault({ kind: 'auth_rejected' });
        await simulation().clock.advance(5 * MINUTE);
        for (const host of hosts) expect(await simulation().describeStatus(host)).toBe('unreachable (auth_rejected)');
        expect(await report()).toMatchObject({ state: 'ok' });
      });

      test('mark an unresponsive minority unreachable', async () => {
        await enrolAll(HOSTS);
        const some = HOSTS.slice(0, 10);
        for (const host of some) simulation().fleet.host(host).addFault({ kind: 'unreachable' });
        await simulation().clock.advance(5 * MINUTE);
        for (const host of some) expect(await simulation().describeStatus(host)).toBe('unreachable (unreachable)');
        expect(await report()).toMatchObject({ state: 'ok', unreachable: 10 });
        for (const host of HOSTS.slice(10)) expect(await simulation().describeStatus(host)).toBe('disassociated');
      });
    });
  },
);

describe('health checks of an overloaded server', () => {
  test('run less often and report the lag', async () => {
    const { simulation, end } = await simulate('sqlite', {
      settings: { leaseMs: 10 * MINUTE, maxChecks: 1 },
      latencies: { connectMs: 3000 },
    });
    try {
      const { engine } = await simulation.startServer();
      await simulation.enrolHosts(TOO_MANY);
      for (const host of TOO_MANY) await simulation.waitForStatus(host, 'disassociated');
      const sinceMs = simulation.clock.now();
      await simulation.clock.advance(15 * MINUTE);
      const report = await engine?.healthReport();
      expect(report?.state).toBe('lagging');
      expect(report?.lagS).toBeGreaterThan(30);
      const counts = TOO_MANY.map(
        host => simulation.fleet.host(host).journal.filter(entry => entry.atMs >= sinceMs).length,
      );
      // One check every three seconds: a round takes three minutes and covers every host.
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
      expect(Math.max(...counts)).toBeLessThanOrEqual(7);
    } finally {
      await end();
    }
  });
});
