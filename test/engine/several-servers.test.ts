import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';

const HOSTS = Array.from({ length: 40 }, (_, index) => `127.6.0.${index + 1}` as Address);

simulateOnEachStore(
  'servers on one store',
  {
    per: 'test',
    settings: { maxTasks: 25 },
  },
  simulation => {
    const isReady = async (host: Address) => (await simulation().statusOf(host)) === 'disassociated';
    const areReady = async () => (await Promise.all(HOSTS.map(isReady))).every(Boolean);

    test('share the hosts, and none is worked on by two', async () => {
      const servers = [
        await simulation().startServer({ isShared: true }),
        await simulation().startServer({ isShared: true }),
      ];
      const before = servers.map(({ control }) => control.commits);
      await simulation().enrolMachines(HOSTS);
      await simulation().clock.advanceUntil(areReady, MINUTE);
      for (const host of HOSTS) {
        const commands = simulation().commandsOn(host);
        expect(commands.filter(command => command !== 'pulse')).toEqual(['facts', 'id -u']);
      }
      // Each step is a commit: both had their part.
      for (const [index, { control }] of servers.entries())
        expect(control.commits - (before[index] ?? 0)).toBeGreaterThan(HOSTS.length);
      for (const { complaints } of servers) expect(complaints).toEqual([]);
    });

    test('one that stops in order hands over at once', async () => {
      const first = await simulation().startServer({ isShared: true });
      await simulation().enrolMachines(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(3000);
      const stopped = first.engine?.stop(500);
      await simulation().clock.advance(500);
      await stopped;
      expect(await areReady()).toBe(false);
      await simulation().startServer({ isShared: true });
      // Less than a lease.
      await simulation().clock.advanceUntil(areReady, 14_000);
    });

    test('one that dies is replaced within a lease', async () => {
      const first = await simulation().startServer({ isShared: true });
      await simulation().startServer({ isShared: true });
      await simulation().enrolMachines(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(1000);
      first.control.kill();
      const diedAtMs = simulation().clock.now();
      await simulation().clock.advanceUntil(areReady, MINUTE);
      // The lease, and what the work takes itself.
      expect(simulation().clock.now() - diedAtMs).toBeLessThan(15_000 + 10_000);
    });

    test('one that was asleep begins anew, and goes on with what it had', async () => {
      const { control, complaints } = await simulation().startServer();
      await simulation().enrolMachines(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(3000);
      control.freeze();
      await simulation().clock.advance(MINUTE);
      control.thaw();
      await simulation().clock.advanceUntil(areReady, MINUTE);
      expect(complaints).toContain('lease lost; another server may have taken over; registering again');
    });

    test('one that cannot reach the store for a while goes on where it was', async () => {
      const { control } = await simulation().startServer();
      await simulation().enrolMachines(HOSTS, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      await simulation().clock.advance(3000);
      control.cutOffStore(60);
      await simulation().clock.advanceUntil(areReady, 2 * MINUTE);
    });

    test('one that has nothing to do renews its lease, and does nothing else', async () => {
      const { control } = await simulation().startServer({ isShared: true });
      await simulation().clock.advance(1000);
      const before = control.commits;
      await simulation().clock.advance(10 * MINUTE);
      expect(control.commits - before).toBe((10 * MINUTE) / 5000);
    });
  },
);
