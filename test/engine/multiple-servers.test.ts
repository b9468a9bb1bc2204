import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';

const HOSTS = Array.from({ length: 12 }, (_, index) => `127.6.0.${index + 1}` as Address);

describeSimulation(
  'servers on one store',
  {
    per: 'test',
    settings: { maxTasks: 8 },
  },
  simulation => {
    const isReady = async (host: Address) => (await simulation().describeStatus(host)) === 'disassociated';
    const areReady = async () => (await Promise.all(HOSTS.map(isReady))).every(Boolean);

    test('share the hosts, and each host is bootstrapped by one server', async () => {
      const servers = [
        await simulation().startServer({ isShared: true }),
        await simulation().startServer({ isShared: true }),
      ];
      const before = servers.map(({ control }) => control.commits);
      await simulation().enrolHosts(HOSTS);
      await simulation().clock.advanceUntil(areReady, MINUTE);
      for (const host of HOSTS) {
        const commands = simulation().commandsRunOn(host);
        expect(commands.filter(command => command !== 'liveness')).toEqual(['facts', 'id -u']);
      }
      // Each step is a commit, so both servers ran some.
      for (const [index, { control }] of servers.entries())
        expect(control.commits - (before[index] ?? 0)).toBeGreaterThan(HOSTS.length);
      for (const { warnings } of servers) expect(warnings).toEqual([]);
    });

    test('hand over at once when one stops gracefully', async () => {
      const first = await simulation().startServer({ isShared: true });
      await simulation().enrolHosts(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(3000);
      const stopped = first.engine?.stop(500);
      await simulation().clock.advance(500);
      await stopped;
      expect(await areReady()).toBe(false);
      await simulation().startServer({ isShared: true });
      // Shorter than a lease.
      await simulation().clock.advanceUntil(areReady, 14_000);
    });

    test('take over from a killed server within the lease time', async () => {
      const first = await simulation().startServer({ isShared: true });
      await simulation().startServer({ isShared: true });
      await simulation().enrolHosts(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(1000);
      first.control.inject('kill_server');
      const diedAtMs = simulation().clock.now();
      await simulation().clock.advanceUntil(areReady, MINUTE);
      // The lease time plus the time of the bootstrap.
      expect(simulation().clock.now() - diedAtMs).toBeLessThan(15_000 + 10_000);
    });

    test('register again and resume after they were frozen past their lease', async () => {
      const { control, warnings } = await simulation().startServer();
      await simulation().enrolHosts(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(3000);
      control.inject('freeze_server');
      await simulation().clock.advance(MINUTE);
      control.revert('freeze_server');
      await simulation().clock.advanceUntil(areReady, MINUTE);
      expect(warnings).toContain('lease lost; another server may have taken over; registering again');
    });

    test('resume after an outage of the store', async () => {
      const { control } = await simulation().startServer();
      await simulation().enrolHosts(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(3000);
      control.inject('cut_store', { times: 20 });
      await simulation().clock.advanceUntil(areReady, 2 * MINUTE);
    });

    test('write nothing except lease renewals when idle', async () => {
      const { control } = await simulation().startServer({ isShared: true });
      await simulation().clock.advance(1000);
      const before = control.commits;
      await simulation().clock.advance(10 * MINUTE);
      expect(control.commits - before).toBe((10 * MINUTE) / 5000);
    });
  },
);
