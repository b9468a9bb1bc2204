// Members that are unavailable before an operation starts or fail while it runs.

import { expect, test } from 'vitest';
import { resumeOperation } from '../../../src/app/operations/control-operation.ts';
import { readRecord } from '../../../src/app/operations/read-operations.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

describeSimulation('an operation with unhealthy members', EACH_TEST, simulation => {
  const rebooted = () =>
    [...simulation().fleet.hosts].filter(({ boots }) => boots.length > 1).map(({ address }) => address);
  const clusterOf = async (count: number, hasManager = false) => {
    await simulation().startServer();
    return createSimulatedCluster(simulation(), addresses(count), { hasManager });
  };
  const powerOff = (...hosts: readonly Address[]) => {
    for (const host of hosts) simulation().fleet.host(host).powerOff();
  };

  test('fails within 30 s without a reboot when undetected outages use all slots', async () => {
    const { clock } = simulation();
    const cluster = await clusterOf(6);
    powerOff(A, B);
    await clock.advance(1000);
    const startedMs = clock.monotonicMs();
    const id = await cluster.start('restart');
    await cluster.untilEnded(id);
    expect(clock.monotonicMs() - startedMs).toBeLessThan(30_000);
    const operation = await cluster.operation(id);
    expect(operation).toMatchObject({ state: 'failed' });
    expect(operation?.problem).toMatch(
      /^budget_exhausted: 127\.0\.0\.1 \(unreachable since .* UTC.*\), 127\.0\.0\.2 \(unreachable since .*\) use all slots \(max_unavailable 1\); .*unhealthy: exclude.*wait: true/,
    );
    expect(rebooted()).toEqual([]);
    for (const host of [A, B]) await simulation().waitForStatus(host, 'unreachable (unreachable)', 60_000);
  });

  test('lists blocking hosts of the plan in its record, with state and error', async () => {
    const cluster = await clusterOf(3);
    powerOff(A);
    const id = await cluster.start('restart');
    await cluster.untilEnded(id);
    const operation = await cluster.operation(id);
    if (operation === undefined) throw new Error('the operation is gone');
    const { inProcess, done } = await readRecord(simulation().ports, operation);
    expect(inProcess.map(({ host, phase, problem }) => [host, phase, problem])).toEqual([
      [A, 'pending', expect.stringMatching(/^unreachable: since \d{4}-/)],
    ]);
    expect(done).toEqual([]);
  });

  test('starts within 10 s when a member lost a single packet', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(3);
    await clock.advance(20_000);
    fleet.host(C).addFault({ kind: 'unreachable', times: 1 });
    const id = await cluster.start('restart');
    await clock.advanceUntil(async () => (await cluster.planned(id, A))?.phase === 'rebooting', 10_000);
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done done');
  });

  test('pauses with on_failure pause and resumes when the host is back', async () => {
    const { fleet, ports } = simulation();
    const cluster = await clusterOf(2);
    powerOff(A);
    const id = await cluster.start('restart', { onFailure: 'pause' });
    await cluster.until(async () => (await cluster.operation(id))?.pause === 'budget');
    fleet.host(A).powerOn();
    await simulation().waitForStatus(A, 'active');
    await resumeOperation(ports, LOCAL_ACTOR, id);
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done');
  });

  test('waits for a blocking member with wait and starts when it responds', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(2);
    powerOff(B);
    const id = await cluster.start('restart', { wait: true });
    await clock.advance(120_000);
    expect((await cluster.operation(id))?.state).toBe('running');
    fleet.host(B).powerOn();
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done');
  });

  test('starts with the host that was down when it was planned', async () => {
    const { fleet } = simulation();
    const cluster = await clusterOf(3);
    powerOff(C);
    await simulation().waitForStatus(C, 'unreachable (unreachable)');
    const id = await cluster.start('restart', { wait: true });
    fleet.host(C).powerOn();
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done done');
    const lastBoot = (host: Address) => Number(fleet.host(host).boots.at(-1)?.atMs);
    expect([A, B, C].toSorted((one, other) => lastBoot(one) - lastBoot(other))).toEqual([C, A, B]);
  });

  test.each<[string, PolicyInput]>([
    ['unhealthy: exclude', { unhealthy: 'exclude' }],
    ['a number of excluded members', { unhealthy: 'exclude', maxExcluded: 1 }],
  ])('skips an unreachable host and restarts the rest with %s', async (_case, policy) => {
    const cluster = await clusterOf(4);
    powerOff(B);
    const id = await cluster.start('restart', policy);
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.state).toBe('finished');
    expect(await cluster.phases(id)).toBe('done skipped done done');
    expect(await cluster.planned(id, B)).toMatchObject({
      skipReason: 'unhealthy',
      problem: expect.stringMatching(/^unreachable since /),
    });
    expect(rebooted()).toEqual([A, C, '127.0.0.4']);
  });

  test('fails with unhealthy: exclude when more members are unhealthy than max_excluded', async () => {
    const cluster = await clusterOf(5);
    powerOff(A, B);
    const id = await cluster.start('restart', { unhealthy: 'exclude' });
    await cluster.untilEnded(id);
    expect(await cluster.operation(id)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/^too_many_unhealthy: 2 members .* max_excluded allows 1: /),
    });
    expect(rebooted()).toEqual([]);
  });

  test('does not exclude a host that fails after the start', async () => {
    const { fleet } = simulation();
    const cluster = await clusterOf(4);
    const id = await cluster.start('restart', {
      unhealthy: 'exclude',
      timeouts: { readyS: 60, rebootS: 60 },
    });
    await cluster.untilPhase(id, A, 'rebooting');
    fleet.host(A).addFault({ kind: 'unreachable' });
    await cluster.untilEnded(id);
    expect((await cluster.planned(id, A))?.phase).toBe('failed');
    expect((await cluster.operation(id))?.state).toBe('failed');
  });

  test('checks other members again before a drained host reboots', async () => {
    const { fleet, manager, clock } = simulation();
    const cluster = await clusterOf(3, true);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: 60_000 });
    const id = await cluster.start('restart', { timeouts: { rebootS: 600 } });
    await cluster.untilPhase(id, A, 'draining');
    await clock.advance(30_000);
    powerOff(C);
    await cluster.untilPhase(id, A, 'armed');
    await clock.advance(60_000);
    expect(fleet.host(A).boots).toHaveLength(1);
    expect((await cluster.operation(id))?.problem).toMatch(/^the reboot of 127\.0\.0\.1 is waiting for 127\.0\.0\.3/);
    fleet.host(C).powerOn();
    await cluster.untilPhase(id, A, 'done');
    expect(fleet.host(A).boots).toHaveLength(2);
  });

  test('fails a host that keeps rebooting at the deadline, with the number of boots', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(2);
    fleet.host(A).addFault({ kind: 'reboot_loop', everyMs: 20_000 });
    const id = await cluster.start('restart', { minHealthyS: 60, timeouts: { readyS: 300 } });
    await cluster.untilPhase(id, A, 'verifying');
    const startedMs = clock.monotonicMs();
    await cluster.untilPhase(id, A, 'failed');
    expect(clock.monotonicMs() - startedMs).toBeLessThan(330_000);
    expect((await cluster.planned(id, A))?.problem).toMatch(/^not_stable: the host has booted \d+ times/);
  });

  test.each<[string, PolicyInput, string]>([
    ['fails within a minute', {}, 'failed'],
    ['excludes it within a minute', { unhealthy: 'exclude' }, 'finished'],
  ])('%s when a member accepts a login and runs nothing', async (_case, policy, state) => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(3);
    fleet.host(C).addFault({ kind: 'frozen' });
    const id = await cluster.start('restart', policy);
    const isDecided = async () => {
      const { phase, skipReason } = (await cluster.planned(id, C)) ?? {};
      return (await cluster.operation(id))?.state === 'failed' || (phase === 'skipped' && skipReason !== null);
    };
    await clock.advanceUntil(isDecided, 60_000);
    await cluster.untilEnded(id);
    expect((await cluster.operation(id))?.state).toBe(state);
  });

  test('keeps ignoring an excluded host that comes back and goes down again', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(4);
    powerOff(B);
    const id = await cluster.start('restart', { unhealthy: 'exclude' });
    await cluster.untilPhase(id, A, 'rebooting');
    fleet.host(B).powerOn();
    await simulation().waitForStatus(B, 'active');
    await clock.advance(3000);
    powerOff(B);
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done skipped done done');
  });
});

// With a long interval, only the operation checks the other members.
const RARE_CHECKS = { ...EACH_TEST, settings: { checkIntervalMs: 300_000 } };

describeSimulation('an operation whose members are checked rarely', RARE_CHECKS, simulation => {
  test.each(['127.0.0.3', '127.0.0.6'] as Address[])(
    'checks members again after the clock of the store was set back: %s is down, so no other host reboots',
    async victim => {
      const { fleet, clock } = simulation();
      await simulation().startServer();
      const cluster = await createSimulatedCluster(simulation(), addresses(6), { hasManager: false });
      await clock.advance(30_000);
      const id = await cluster.start('restart', { minHealthyS: 40 });
      await cluster.untilPhase(id, A, 'verifying');
      clock.setWallClockBack(3_600_000);
      await clock.advance(6000);
      fleet.host(victim).powerOff();
      await clock.advance(120_000);
      expect(fleet.host(B).boots).toHaveLength(1);
      expect((await cluster.operation(id))?.problem).toContain(victim);
    },
  );
});
