// Several servers share what is to be done: nobody has it all, and nobody waits for one that does not come.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { FAIRNESS_GRACE_MS } from '../../src/domain/tasks/host-queue.ts';
import { EACH_TEST, simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import type { Simulation } from '../harness/simulation/simulation.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';
import { addresses, operatedCluster } from './operations/operated-cluster.ts';

const TWELVE = addresses(12);
/** Looks are so far apart, and a login takes its time. */
const A_MOMENT_MS = 250;

const startThree = async (simulation: Simulation) => [
  await simulation.startServer({ isShared: true }),
  await simulation.startServer({ isShared: true }),
  await simulation.startServer({ isShared: true }),
];

simulateOnEachStore('one operation', EACH_TEST, simulation => {
  test('is done by three servers, each a fair part of it', async () => {
    const servers = await startThree(simulation());
    const commits = () => servers.map(({ control }) => control.commits);
    const cluster = await operatedCluster(simulation(), TWELVE, { hasManager: false });
    const before = commits();
    const id = await cluster.start('restart', { maxUnavailable: 12 });
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe(TWELVE.map(() => 'done').join(' '));
    // Each step is a commit of whoever has the host.
    const parts = commits().map((count, index) => count - (before[index] ?? 0));
    const all = parts.reduce((sum, part) => sum + part);
    for (const part of parts) expect(part / all).toBeGreaterThan(0.22);
    for (const { boots } of simulation().fleet.hosts) expect(boots).toHaveLength(2);
  });
});

simulateOnEachStore('hosts that are due', { per: 'test' }, simulation => {
  const isBegun = (host: Address) => simulation().commandsOn(host).length > 0;
  const begun = () => TWELVE.filter(isBegun).length;

  test('are left to a server that is frozen for no longer than the grace', async () => {
    const [, , last] = await startThree(simulation());
    await simulation().clock.advance(1000);
    last?.control.freeze();
    await simulation().enrolMachines(TWELVE, { faults: [{ kind: 'slow', commandMs: 10_000 }] });
    const dueAtMs = simulation().clock.now();
    await simulation().clock.advance(A_MOMENT_MS);
    expect(begun()).toBe(8);
    await simulation().clock.advanceUntil(() => begun() === 12, MINUTE);
    expect(simulation().clock.now() - dueAtMs).toBeLessThan(FAIRNESS_GRACE_MS + A_MOMENT_MS);
  });
});
