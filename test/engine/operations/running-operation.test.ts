import { expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { displayState } from '../../../src/domain/rollout/operation-host.ts';
import type { Task } from '../../../src/domain/tasks/task.ts';
import { WEEKDAYS } from '../../../src/domain/vocabulary.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
describeSimulation('a running operation', EACH_TEST, simulation => {
  const disconnectDuringVerify = async (cluster: Awaited<ReturnType<typeof createSimulatedCluster>>, id: string) => {
    await cluster.untilPhase(id, A, 'verifying');
    simulation().fleet.host(A).addFault({ kind: 'unreachable' });
    await cluster.until(async () => {
      const planned = await cluster.planned(id, A);
      return planned !== undefined && displayState(planned) === 'unreachable';
    });
    expect((await cluster.planned(id, A))?.phase).toBe('verifying');
  };

  test('resumes an unresponsive host in its phase when it responds again', async () => {
    const { fleet, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart');
    await disconnectDuringVerify(cluster, id);
    await clock.advance(MINUTE);
    expect(await cluster.phases(id)).toMatch(/^verifying (pending|staging)$/);
    fleet.host(A).clearFaults();
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done');
    expect(fleet.host(A).boots).toHaveLength(2);
  });

  test('retries a host whose login shell fails temporarily and reports the failure', async () => {
    const { fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A], { hasManager: false });
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'preflight');
    fleet.host(A).addFault({ kind: 'no_shell', times: 5 });
    await cluster.until(async () => /^no_shell: /.test((await cluster.planned(id, A))?.problem ?? ''));
    await cluster.untilEnded(id);
    expect([await cluster.phases(id), fleet.host(A).boots.length]).toEqual(['done', 2]);
  });

  test('fails an unresponsive host at the deadline of its phase', async () => {
    const { clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start('restart', { timeouts: { readyS: 120 } });
    await disconnectDuringVerify(cluster, id);
    const startedMs = clock.monotonicMs();
    await cluster.untilPhase(id, A, 'failed');
    expect(clock.monotonicMs() - startedMs).toBeGreaterThan(MINUTE);
    expect(clock.monotonicMs() - startedMs).toBeLessThan(3 * MINUTE);
    await cluster.untilEnded(id);
    expect((await cluster.planned(id, A))?.problem).toMatch(/^unreachable: /);
    expect(simulation().fleet.host(B).boots).toHaveLength(1);
  });

  test('reads the facts of a host again after its reboot', async () => {
    const { fleet, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A], { hasManager: false });
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'rebooting');
    fleet.host(A).machine.cpus = 16;
    await cluster.untilEnded(id);
    await clock.advance(2 * MINUTE);
    expect((await simulation().host(A))?.cpus).toBe(16);
  });

  test('starts no health checks of a host in flight while a leave task of the host is retried', async () => {
    const { manager, store, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A], { hasManager: false, bootMs: 5 * MINUTE });
    const id = await cluster.start('restart', { timeouts: { rebootS: 600 } });
    await cluster.untilPhase(id, A, 'rebooting');
    manager.inject('fail_manager', 'remove');
    const { enrolment = '' } = (await simulation().host(A)) ?? {};
    const leave: Task = {
      kind: 'leave',
      ...{ host: A, enrolment, cluster: toRecordName('d'), network: null, mayBeNode: true },
      containerManager: {
        name: toRecordName('other'),
        type: 'simulated',
        options: {},
        sealedOptions: {},
        revision: '1',
      },
    };
    await store.transaction(async records => records.tasks.insert([leave], await records.nowMs()));
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1000);
      expect((await store.reads.hostQueue.getNextDue()).check).toBeNull();
    }
    expect((await cluster.planned(id, A))?.phase).toBe('rebooting');
    expect((await store.reads.tasks.list(A)).map(({ kind }) => kind)).toEqual(['rollout', 'leave']);
  });

  test('lets hosts in flight finish when its window closes, and continues when the window opens again', async () => {
    const { clock, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    const timeOfDay = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    const closesMs = Math.ceil(clock.now() / MINUTE) * MINUTE + 2 * MINUTE;
    const opensMs = closesMs + 10 * MINUTE;
    const window = { days: WEEKDAYS, start: timeOfDay(opensMs), end: timeOfDay(closesMs), zone: 'UTC' };
    const id = await cluster.start('restart', { window, minHealthyS: 300 });
    await cluster.untilPhase(id, A, 'verifying');
    expect(clock.now()).toBeLessThan(closesMs);
    await cluster.until(async () => (await cluster.operation(id))?.pause === 'window');
    expect(clock.now()).toBeGreaterThanOrEqual(closesMs);
    await cluster.untilPhase(id, A, 'done');
    expect([(await cluster.operation(id))?.state, fleet.host(B).boots.length]).toEqual(['paused', 1]);
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done');
    const { phases = [] } = (await cluster.planned(id, B)) ?? {};
    const armedAt = phases.find(({ phase }) => phase === 'armed')?.at ?? '';
    expect(Date.parse(`${armedAt}Z`)).toBeGreaterThanOrEqual(opensMs);
  });
});
