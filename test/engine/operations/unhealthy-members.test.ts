// Members that are out of service before an operation starts, or fail while it runs: what the operation does, measured on the hosts.

import { expect, test } from 'vitest';
import { setMaintenance } from '../../../src/app/hosts/maintenance.ts';
import { dryRun } from '../../../src/app/operations/dry-run.ts';
import { readRecord } from '../../../src/app/operations/read-operations.ts';
import { retryHosts } from '../../../src/app/operations/steer-hosts.ts';
import { resumeOperation } from '../../../src/app/operations/steer-operation.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/actor.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { recordNameOf } from '../../../src/domain/record-name.ts';
import type { PolicyWish } from '../../../src/domain/rolling/policy.ts';
import { EACH_TEST, simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import { addresses, operatedCluster } from './operated-cluster.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];

simulateOnEachStore('an operation', EACH_TEST, simulation => {
  const rebooted = () =>
    [...simulation().fleet.hosts].filter(({ boots }) => boots.length > 1).map(({ address }) => address);
  const clusterOf = async (count: number, hasManager = false) => {
    await simulation().startServer();
    return operatedCluster(simulation(), addresses(count), { hasManager });
  };
  const powerOff = (...hosts: readonly Address[]) => {
    for (const host of hosts) simulation().fleet.host(host).switchOff();
  };

  test('fails within 30 s when unseen outages use up the budget, and reboots nothing', async () => {
    const { clock } = simulation();
    const cluster = await clusterOf(6);
    powerOff(A, B);
    await clock.advance(1000);
    const startedMs = clock.monotonicMs();
    const id = await cluster.start('restart');
    await cluster.ended(id);
    expect(clock.monotonicMs() - startedMs).toBeLessThan(30_000);
    const operation = await cluster.operation(id);
    expect(operation).toMatchObject({ state: 'failed' });
    expect(operation?.problem).toMatch(
      /^budget_exhausted: 127\.0\.0\.1 \(unreachable since .* UTC.*\), 127\.0\.0\.2 \(unreachable since .*\) use up max_unavailable 1; .*unhealthy: exclude.*wait: true/,
    );
    expect(rebooted()).toEqual([]);
    for (const host of [A, B]) await simulation().until(host, 'unreachable (unreachable)', 60_000);
  });

  test('lists blocking hosts of the plan in its record, with state and error', async () => {
    const cluster = await clusterOf(3);
    powerOff(A);
    const id = await cluster.start('restart');
    await cluster.ended(id);
    const operation = await cluster.operation(id);
    if (operation === undefined) throw new Error('the operation is gone');
    const { started, done } = await readRecord(simulation().ports, operation);
    expect(started.map(({ host, phase, problem }) => [host, phase, problem])).toEqual([
      [A, 'pending', expect.stringMatching(/^unreachable: unreachable since /)],
    ]);
    expect(done).toEqual([]);
  });

  test('starts within 10 s when a member lost a single packet', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(3);
    await clock.advance(20_000);
    fleet.host(C).suffer({ kind: 'unreachable', times: 1 });
    const id = await cluster.start('restart');
    await clock.advanceUntil(async () => (await cluster.planned(id, A))?.phase === 'rebooting', 10_000);
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done done');
  });

  test('pauses instead of failing with on_failure pause, and resumes when the host is back', async () => {
    const { fleet, ports } = simulation();
    const cluster = await clusterOf(2);
    powerOff(A);
    const id = await cluster.start('restart', { onFailure: 'pause' });
    await cluster.until(async () => (await cluster.operation(id))?.pause === 'budget');
    fleet.host(A).switchOn();
    await simulation().until(A, 'active');
    await resumeOperation(ports, LOCAL_ACTOR, id);
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done');
  });

  test('waits for a blocking member with wait, and starts when it answers', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(2);
    powerOff(B);
    const id = await cluster.start('restart', { wait: true });
    await clock.advance(120_000);
    expect((await cluster.operation(id))?.state).toBe('running');
    fleet.host(B).switchOn();
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done');
  });

  test('starts with the host that was down when it was planned', async () => {
    const { fleet } = simulation();
    const cluster = await clusterOf(3);
    powerOff(C);
    await simulation().until(C, 'unreachable (unreachable)');
    const id = await cluster.start('restart', { wait: true });
    fleet.host(C).switchOn();
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done done');
    const lastBoot = (host: Address) => Number(fleet.host(host).boots.at(-1)?.atMs);
    expect([A, B, C].toSorted((one, other) => lastBoot(one) - lastBoot(other))).toEqual([C, A, B]);
  });

  test.each<[string, PolicyWish]>([
    ['unhealthy: exclude', { unhealthy: 'exclude' }],
    ['a number of excluded members', { unhealthy: 'exclude', maxExcluded: 1 }],
  ])('with %s leaves out a dead host and restarts the rest', async (_what, wish) => {
    const cluster = await clusterOf(4);
    powerOff(B);
    const id = await cluster.start('restart', wish);
    await cluster.ended(id);
    expect((await cluster.operation(id))?.state).toBe('finished');
    expect(await cluster.phases(id)).toBe('done skipped done done');
    expect(await cluster.planned(id, B)).toMatchObject({
      skipReason: 'unhealthy',
      problem: expect.stringMatching(/^unreachable since /),
    });
    expect(rebooted()).toEqual([A, C, '127.0.0.4']);
  });

  test('with unhealthy: exclude fails when more members are unhealthy than max_excluded', async () => {
    const cluster = await clusterOf(5);
    powerOff(A, B);
    const id = await cluster.start('restart', { unhealthy: 'exclude' });
    await cluster.ended(id);
    expect(await cluster.operation(id)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/^too_many_unhealthy: 2 members .* max_excluded allows 1: /),
    });
    expect(rebooted()).toEqual([]);
  });

  test('does not exclude a host that fails later', async () => {
    const { fleet } = simulation();
    const cluster = await clusterOf(4);
    const id = await cluster.start('restart', {
      unhealthy: 'exclude',
      timeouts: { readyS: 60, rebootS: 60 },
    });
    await cluster.inPhase(id, A, 'rebooting');
    fleet.host(A).suffer({ kind: 'unreachable' });
    await cluster.ended(id);
    expect((await cluster.planned(id, A))?.phase).toBe('failed');
    expect((await cluster.operation(id))?.state).toBe('failed');
  });

  test('is retried without the hosts that a person excludes', async () => {
    const { ports } = simulation();
    const cluster = await clusterOf(3);
    powerOff(C);
    const wish: PolicyWish = { hosts: [A, B] };
    const id = await cluster.start('restart', wish);
    await cluster.ended(id);
    expect((await cluster.operation(id))?.problem).toMatch(/^budget_exhausted: 127\.0\.0\.3 /);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined, exclude: [C] });
    await cluster.ended(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual([
      'finished',
      'done done',
    ]);
  });

  test('skips excluded hosts of the plan as unhealthy', async () => {
    const { ports } = simulation();
    const cluster = await clusterOf(3);
    powerOff(A);
    const id = await cluster.start('restart');
    await cluster.ended(id);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined, exclude: [A] });
    await cluster.ended(id);
    expect([(await cluster.operation(id))?.state, await cluster.phases(id)]).toEqual([
      'finished',
      'skipped done done',
    ]);
    expect((await cluster.planned(id, A))?.skipReason).toBe('unhealthy');
  });

  test('fails again at once when it is retried while the host is still down', async () => {
    const { ports, clock } = simulation();
    const cluster = await clusterOf(2);
    powerOff(A);
    const id = await cluster.start('restart');
    await cluster.ended(id);
    await clock.advance(10 * 60_000);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    const startedMs = clock.monotonicMs();
    await cluster.ended(id);
    expect(clock.monotonicMs() - startedMs).toBeLessThan(30_000);
    expect((await cluster.operation(id))?.state).toBe('failed');
  });

  test('cannot be retried while its only host is in flight', async () => {
    const { ports } = simulation();
    const cluster = await clusterOf(1);
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'rebooting');
    expect(await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined })).toMatchObject({
      code: 'nothing_to_retry',
    });
  });

  test('stays failed when its only failed host has left the cluster and it is retried', async () => {
    const { fleet, ports } = simulation();
    const cluster = await clusterOf(2);
    fleet.host(A).suffer({ kind: 'exit', exitCode: 1, stderr: 'no', on: /^true check$/ });
    const wish: PolicyWish = { check: ['true', 'check'], timeouts: { readyS: 60 }, hosts: [A] };
    const id = await cluster.start('restart', wish);
    await cluster.ended(id);
    await simulation().remove(A);
    const before = await cluster.operation(id);
    const retried = await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    expect(retried instanceof Refusal).toBe(false);
    await simulation().clock.advance(60_000);
    expect(await cluster.operation(id)).toMatchObject({ state: 'failed', problem: before?.problem });
    expect(await cluster.phases(id)).toBe('failed');
  });

  test('checks other members again before a drained host reboots', async () => {
    const { fleet, manager, clock } = simulation();
    const cluster = await clusterOf(3, true);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: 60_000 });
    const id = await cluster.start('restart', { timeouts: { rebootS: 600 } });
    await cluster.inPhase(id, A, 'draining');
    await clock.advance(30_000);
    powerOff(C);
    await cluster.inPhase(id, A, 'armed');
    await clock.advance(60_000);
    expect(fleet.host(A).boots).toHaveLength(1);
    expect((await cluster.operation(id))?.problem).toMatch(
      /^the reboot of 127\.0\.0\.1 waits for 127\.0\.0\.3/,
    );
    fleet.host(C).switchOn();
    await cluster.inPhase(id, A, 'done');
    expect(fleet.host(A).boots).toHaveLength(2);
  });

  test('fails a host that keeps rebooting at the deadline, with the number of boots', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(2);
    fleet.host(A).suffer({ kind: 'reboot_loop', everyMs: 20_000 });
    const id = await cluster.start('restart', { minHealthyS: 60, timeouts: { readyS: 300 } });
    await cluster.inPhase(id, A, 'verifying');
    const startedMs = clock.monotonicMs();
    await cluster.inPhase(id, A, 'failed');
    expect(clock.monotonicMs() - startedMs).toBeLessThan(330_000);
    expect((await cluster.planned(id, A))?.problem).toMatch(/^not_stable: the host has booted \d+ times/);
  });

  test('would not start by its dry run while a member in maintenance uses up the budget', async () => {
    const { ports } = simulation();
    await clusterOf(2);
    await setMaintenance(ports, LOCAL_ACTOR, { address: A, on: true, reason: 'new disk' });
    const request = {
      cluster: recordNameOf('c'),
      kind: 'restart',
      version: '',
      idempotencyKey: null,
    } as const;
    const plan = (wish: PolicyWish) => dryRun(ports, { ...request, wish });
    expect(await plan({})).toMatchObject({
      wouldStart: false,
      blockedBy: [
        { host: A, reason: 'maintenance', detail: 'new disk', since: expect.stringMatching(/^\d{4}-/) },
      ],
    });
    for (const wish of [{ maxUnavailable: 2 }, { unhealthy: 'exclude' }] as const)
      expect(await plan(wish)).toMatchObject({ wouldStart: true, blockedBy: [] });
  });

  test.each<[string, PolicyWish, string]>([
    ['fails within a minute', {}, 'failed'],
    ['excludes it within a minute', { unhealthy: 'exclude' }, 'finished'],
  ])('%s when a member accepts a login and runs nothing', async (_what, wish, state) => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(3);
    fleet.host(C).suffer({ kind: 'frozen' });
    const id = await cluster.start('restart', wish);
    const isDecided = async () => {
      const { phase, skipReason } = (await cluster.planned(id, C)) ?? {};
      return (
        (await cluster.operation(id))?.state === 'failed' || (phase === 'skipped' && skipReason !== null)
      );
    };
    await clock.advanceUntil(isDecided, 60_000);
    await cluster.ended(id);
    expect((await cluster.operation(id))?.state).toBe(state);
  });

  test('ignores an excluded host for good, also when it comes back and goes down again', async () => {
    const { fleet, clock } = simulation();
    const cluster = await clusterOf(4);
    powerOff(B);
    const id = await cluster.start('restart', { unhealthy: 'exclude' });
    await cluster.inPhase(id, A, 'rebooting');
    fleet.host(B).switchOn();
    await simulation().until(B, 'active');
    await clock.advance(3000);
    powerOff(B);
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done skipped done done');
  });

  test('names retry and skip as the ways out when a failed host keeps the only slot', async () => {
    const { fleet, ports } = simulation();
    const cluster = await clusterOf(3);
    fleet.host(A).suffer({ kind: 'exit', exitCode: 1, on: /^true check$/ });
    const wish: PolicyWish = { check: ['true', 'check'], timeouts: { readyS: 60 } };
    const id = await cluster.start('restart', wish);
    await cluster.ended(id);
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: [] });
    await cluster.ended(id);
    expect((await cluster.operation(id))?.problem).toBe(
      'budget_exhausted: 127.0.0.1 uses up max_unavailable 1; retry or skip 127.0.0.1',
    );
  });

  const plan = async (wish: PolicyWish) => {
    const request = { kind: 'restart', version: '', idempotencyKey: null, wish } as const;
    const planned = await dryRun(simulation().ports, { cluster: recordNameOf('c'), ...request });
    if (planned instanceof Refusal) throw new Error(planned.detail);
    return planned;
  };

  test('would start by its dry run after a single lost packet', async () => {
    const { fleet, clock, store } = simulation();
    await clusterOf(3);
    fleet.host(C).suffer({ kind: 'unreachable', times: 1 });
    const isNoticed = async () => (await store.reads.rollingSnapshots.outages(recordNameOf('c'))).length > 0;
    await clock.advanceUntil(isNoticed, 200_000);
    expect(await plan({})).toMatchObject({ wouldStart: true, blockedBy: [] });
  });

  test('neither would start nor starts while a disassociated member outside the plan uses up the budget', async () => {
    const cluster = await clusterOf(3);
    await simulation().store.transaction(({ hosts }) => hosts.setStatus([C], 'disassociated'));
    const wish = { hosts: [A, B] };
    expect(await plan(wish)).toMatchObject({ wouldStart: false, blockedBy: [{ host: C }] });
    const id = await cluster.start('restart', wish);
    await simulation().clock.advanceUntil(
      async () => (await cluster.operation(id))?.state === 'failed',
      30_000,
    );
    expect((await cluster.operation(id))?.problem).toMatch(/^budget_exhausted: 127.0.0.3 \(not registered/);
  });

  test('would skip by its dry run the hosts that it skips as unhealthy', async () => {
    await clusterOf(3);
    powerOff(B);
    await simulation().until(B, 'unreachable (unreachable)');
    const { hosts } = await plan({ unhealthy: 'exclude' });
    const told = hosts.map(({ host, problem }) => [host.address, problem.split(':')[0]]);
    expect(told).toEqual([
      [B, 'unhealthy'],
      [A, ''],
      [C, ''],
    ]);
  });
});
