// Hosts that fall silent on the way, and windows that close over hosts in flight: both are waited for, and nothing is lost by it.

import { expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { displayState } from '../../../src/domain/rollout/operation-host.ts';
import { WEEKDAYS } from '../../../src/domain/vocabulary.ts';
import { EACH_TEST, simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import { MINUTE } from '../../harness/simulation/world-options.ts';
import { operatedCluster } from './operated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
simulateOnEachStore('on the way', EACH_TEST, simulation => {
  const silent = async (cluster: Awaited<ReturnType<typeof operatedCluster>>, id: string) => {
    await cluster.inPhase(id, A, 'verifying');
    simulation().fleet.host(A).addFault({ kind: 'unreachable' });
    await cluster.until(async () => {
      const planned = await cluster.planned(id, A);
      return planned !== undefined && displayState(planned) === 'unreachable';
    });
    expect((await cluster.planned(id, A))?.phase).toBe('verifying');
  };

  test('a host that falls silent goes on in its phase when it answers again', async () => {
    const { fleet, clock } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart');
    await silent(cluster, id);
    await clock.advance(MINUTE);
    expect(await cluster.phases(id)).toMatch(/^verifying (pending|staging)$/);
    fleet.host(A).clearFaults();
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done');
    expect(fleet.host(A).boots).toHaveLength(2);
  });

  test('a host whose login shell fails for a moment is tried again, and says so meanwhile', async () => {
    const { fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A], { hasManager: false });
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'preflight');
    fleet.host(A).addFault({ kind: 'no_shell', times: 5 });
    await cluster.until(async () => /^no_shell: /.test((await cluster.planned(id, A))?.problem ?? ''));
    await cluster.ended(id);
    expect([await cluster.phases(id), fleet.host(A).boots.length]).toEqual(['done', 2]);
  });

  test('a host that stays silent has failed at the deadline of its phase', async () => {
    const { clock } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart', { timeouts: { readyS: 120 } });
    await silent(cluster, id);
    const beganMs = clock.monotonicMs();
    await cluster.inPhase(id, A, 'failed');
    expect(clock.monotonicMs() - beganMs).toBeGreaterThan(MINUTE);
    expect(clock.monotonicMs() - beganMs).toBeLessThan(3 * MINUTE);
    await cluster.ended(id);
    expect((await cluster.planned(id, A))?.problem).toMatch(/^unreachable: /);
    expect(simulation().fleet.host(B).boots).toHaveLength(1);
  });

  test('a window that closes interrupts nobody, and the same plan goes on when it opens again', async () => {
    const { clock, fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    const wall = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    const closesMs = Math.ceil(clock.now() / MINUTE) * MINUTE + 2 * MINUTE;
    const opensMs = closesMs + 10 * MINUTE;
    const window = { days: WEEKDAYS, start: wall(opensMs), end: wall(closesMs), zone: 'UTC' };
    const id = await cluster.start('restart', { window, minHealthyS: 300 });
    await cluster.inPhase(id, A, 'verifying');
    expect(clock.now()).toBeLessThan(closesMs);
    await cluster.until(async () => (await cluster.operation(id))?.pause === 'window');
    expect(clock.now()).toBeGreaterThanOrEqual(closesMs);
    await cluster.inPhase(id, A, 'done');
    expect([(await cluster.operation(id))?.state, fleet.host(B).boots.length]).toEqual(['paused', 1]);
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done');
    const { phases = [] } = (await cluster.planned(id, B)) ?? {};
    const armedAt = phases.find(({ phase }) => phase === 'armed')?.at ?? '';
    expect(Date.parse(`${armedAt}Z`)).toBeGreaterThanOrEqual(opensMs);
  });
});
