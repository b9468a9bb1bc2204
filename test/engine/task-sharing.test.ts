import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { FAIRNESS_GRACE_MS } from '../../src/domain/tasks/host-queue.ts';
import { describeSimulation, EACH_TEST } from '../harness/simulation/simulate.ts';
import type { Simulation } from '../harness/simulation/simulation.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { addresses, createSimulatedCluster } from './operations/simulated-cluster.ts';

const TWELVE = addresses(12);
/** Covers the polling interval and the time of a login. */
const POLL_MARGIN_MS = 250;

const startThree = async (simulation: Simulation) => [
  await simulation.startServer({ isShared: true }),
  await simulation.startServer({ isShared: true }),
  await simulation.startServer({ isShared: true }),
];

describeSimulation('an operation on twelve hosts', EACH_TEST, simulation => {
  test('is shared by three servers in fair parts', async () => {
    const servers = await startThree(simulation());
    const commits = () => servers.map(({ control }) => control.commits);
    const cluster = await createSimulatedCluster(simulation(), TWELVE, { hasManager: false });
    const before = commits();
    const id = await cluster.start('restart', { maxUnavailable: 12 });
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe(TWELVE.map(() => 'done').join(' '));
    // Each step is a commit of the server that claimed the host.
    const parts = commits().map((count, index) => count - (before[index] ?? 0));
    const all = parts.reduce((sum, part) => sum + part);
    for (const part of parts) expect(part / all).toBeGreaterThan(0.22);
    for (const { boots } of simulation().fleet.hosts) expect(boots).toHaveLength(2);
  });
});

describeSimulation('due hosts', { per: 'test' }, simulation => {
  const hasStarted = (host: Address) => simulation().commandsRunOn(host).length > 0;
  const startedCount = () => TWELVE.filter(hasStarted).length;

  test('wait for a frozen server no longer than the grace period', async () => {
    const [, , last] = await startThree(simulation());
    await simulation().clock.advance(1000);
    last?.control.inject('freeze_server');
    await simulation().enrolHosts(TWELVE, { faults: [{ kind: 'slow', commandMs: 10_000 }] });
    const dueAtMs = simulation().clock.now();
    await simulation().clock.advance(POLL_MARGIN_MS);
    expect(startedCount()).toBe(8);
    await simulation().clock.advanceUntil(() => startedCount() === 12, MINUTE);
    expect(simulation().clock.now() - dueAtMs).toBeLessThan(FAIRNESS_GRACE_MS + POLL_MARGIN_MS);
  });
});
