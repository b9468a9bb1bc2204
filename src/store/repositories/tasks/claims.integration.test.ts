import { beforeEach, expect, test } from 'vitest';
import { describeStore, runSql } from '../../../../test/harness/stores/stores.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { checkOffsetOf, OFFSETS_PER_INTERVAL } from '../../../domain/tasks/host-queue.ts';
import type { TaskState } from '../../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../../domain/tasks/task.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];
const MINUTE = 60_000;
const FOREVER = Number.MAX_SAFE_INTEGER;
const many = Array.from({ length: 1200 }, (_, index) => `127.1.${index >> 8}.${index & 255}` as Address);

describeStore('claims', { per: 'test' }, ({ store, database }) => {
  beforeEach(async () => {
    await store().transaction(async ({ servers }) => {
      for (const name of ['one', 'two', 'three', 'four', 'five']) await servers.register(name, FOREVER, '');
    });
  });

  const addTasks = (hosts: readonly Address[], now = 100) =>
    store().transaction(records => records.tasks.scheduleHosts(hosts, now));
  const claimDue = (claimKind: 'task' | 'check', owner: string, now: number, limit = 10) =>
    store().transaction(records => records.claims.claimDue(claimKind, { owner, now }, limit));
  const isCurrent = (host: Address, fence: number, owner: string) =>
    store().transaction(records => records.claims.lockIfCurrent({ host, fence }, owner));

  test('are made by one server when a task is due and not before', async () => {
    await addTasks([A]);
    expect(await claimDue('task', 'one', 99)).toEqual([]);
    expect(await claimDue('task', 'one', 100)).toEqual([{ host: A, fence: 1, failures: 0, isFactsDue: true }]);
    expect(await claimDue('task', 'two', 200)).toEqual([]);
  });

  test('are not made by an unknown or expired server', async () => {
    await addTasks([A]);
    await store().transaction(({ servers }) => servers.register('late', 150, ''));
    expect(await claimDue('task', 'unknown', 100)).toEqual([]);
    expect(await claimDue('task', 'late', 150)).toEqual([]);
    expect((await claimDue('task', 'late', 149)).length).toBe(1);
  });

  test('are made for the longest due hosts first, up to the limit', async () => {
    await addTasks([A], 30);
    await addTasks([B], 10);
    await addTasks([C], 20);
    const claims = await claimDue('task', 'one', 100, 2);
    expect(claims.map(claim => claim.host).sort()).toEqual([B, C]);
  });

  test('concurrent claims never overlap and leave no host unclaimed', async () => {
    await addTasks(many);
    const servers = ['one', 'two', 'three', 'four'];
    const claims = await Promise.all(servers.map(owner => claimDue('task', owner, 100, 400)));
    const rest = await claimDue('task', 'five', 100, 2000);
    const hosts = [...claims.flat(), ...rest].map(claim => claim.host);
    expect(hosts.length).toBe(many.length);
    expect(new Set(hosts).size).toBe(many.length);
  });

  test('claims and the backlog are counted separately for tasks and checks', async () => {
    await addTasks(many.slice(0, 5), 1000);
    await addTasks(many.slice(5, 12), 1400);
    await claimDue('task', 'one', 1400, 2);
    await claimDue('task', 'two', 1400, 1);
    await store().transaction(async ({ claims }) => {
      const [checked] = await claims.claimDue('task', { owner: 'two', now: 1400 }, 1);
      const later = { taskDueAt: null, nextCheck: { at: 1450 } };
      if (checked) await claims.release(checked.host, later, 1400, MINUTE);
    });
    await claimDue('check', 'one', 1450, 1);
    await store().transaction(({ servers }) => servers.register('late', 1500, ''));
    const loads = (limit: number) => store().reads.hostQueue.getLoads('one', 1500, limit);
    expect(await loads(100)).toEqual({
      servers: 5,
      task: { due: 8, dueSinceMs: 1000, overdue: 1, claimed: 3, ownClaims: 2 },
      check: { due: 0, dueSinceMs: null, overdue: 0, claimed: 1, ownClaims: 1 },
    });
    expect((await loads(3)).task).toMatchObject({ due: 3, dueSinceMs: 1000, overdue: 1 });
  });

  test('increase the fence, and an older fence is not current', async () => {
    await addTasks([A]);
    const [first] = await claimDue('task', 'one', 100);
    expect(await isCurrent(A, 1, 'one')).toBe(true);
    await store().transaction(records => records.claims.releaseAll('one'));
    expect(await isCurrent(A, 1, 'one')).toBe(false);
    const [second] = await claimDue('task', 'one', 100);
    expect([first?.fence, second?.fence]).toEqual([1, 2]);
    expect(await isCurrent(A, 1, 'one')).toBe(false);
    expect(await isCurrent(A, 2, 'two')).toBe(false);
    expect(await isCurrent(A, 2, 'one')).toBe(true);
  });

  test('are abandoned on the given hosts, except claims of other servers', async () => {
    await addTasks([A, B, C]);
    await claimDue('task', 'one', 100, 2);
    await claimDue('task', 'two', 100);
    const owners = async () => [
      await isCurrent(A, 1, 'one'),
      await isCurrent(B, 1, 'one'),
      await isCurrent(C, 1, 'two'),
    ];
    expect(await owners()).toEqual([true, true, true]);
    await store().transaction(({ claims }) => claims.releaseHosts([A, C], 'one'));
    expect(await owners()).toEqual([false, true, true]);
  });

  test('are listed for their owner, and claims without a server are orphans', async () => {
    await addTasks([A, B]);
    await claimDue('task', 'one', 100, 1);
    const getClaims = () => store().reads.hostQueue.getClaims('one');
    expect(await getClaims()).toEqual({ hosts: [A], hasUnknownOwners: false });
    await claimDue('task', 'two', 100, 1);
    expect(await getClaims()).toEqual({ hosts: [A], hasUnknownOwners: false });
    await store().transaction(({ servers }) => servers.unregister('two'));
    expect(await getClaims()).toEqual({ hosts: [A], hasUnknownOwners: true });
  });

  test('claims of expired servers are released, those of live servers are not', async () => {
    await addTasks([A, B]);
    await store().transaction(async ({ servers }) => {
      await servers.register('dead', 500, '');
      await servers.register('alive', 1500, '');
    });
    await claimDue('task', 'dead', 100, 1);
    await claimDue('task', 'alive', 100, 1);
    await store().transaction(async ({ claims, servers }) => {
      await claims.releaseExpired(1000);
      await servers.removeExpired(1000);
    });
    expect((await claimDue('task', 'three', 1000)).length).toBe(1);
    expect((await store().reads.servers.getPeers('three', 0)).nextExpiry).toBe(1500);
    expect(await claimDue('task', 'dead', 1000)).toEqual([]);
  });

  test('depend on a lease that can only be renewed before it expires', async () => {
    await store().transaction(({ servers }) => servers.register('late', 500, ''));
    const renew = (now: number) => store().transaction(({ servers }) => servers.renew('late', now, now + 500));
    expect(await renew(499)).toBe(true);
    expect(await renew(999)).toBe(false);
    expect(await renew(998)).toBe(true);
  });

  test('claims released for a check keep the due time of a task that was added meanwhile', async () => {
    await addTasks([A]);
    const [claim] = await claimDue('task', 'one', 100);
    await addTasks([A], 150);
    await store().transaction(({ claims }) => claims.release(A, { nextCheck: { at: 900 } }, 200, MINUTE));
    expect(claim?.host).toBe(A);
    expect(await store().reads.hostQueue.getNextDue()).toEqual({ task: 150, check: 900 });
  });

  test('hosts released for the next interval are due at least half an interval later, spread over the interval', async () => {
    await addTasks(many);
    await claimDue('task', 'one', 100, 2000);
    const now = 1_700_000_012_345;
    await store().transaction(async ({ claims }) => {
      for (const host of many) await claims.release(host, { taskDueAt: null, nextCheck: 'next_interval' }, now, MINUTE);
    });
    expect(await claimDue('check', 'one', now + MINUTE / 2 - 1, 2000)).toEqual([]);
    const early = await claimDue('check', 'one', now + MINUTE, 2000);
    const late = await claimDue('check', 'one', now + 1.5 * MINUTE, 2000);
    expect(early.length + late.length).toBe(many.length);
    expect(Math.abs(early.length - late.length)).toBeLessThan(many.length / 8);
  });

  test('a host released for the next interval is due at its check offset', async () => {
    await addTasks([A]);
    await claimDue('task', 'one', 100);
    const now = 1_700_000_012_345;
    await store().transaction(({ claims }) => claims.release(A, { nextCheck: 'next_interval' }, now, MINUTE));
    const { check } = await store().reads.hostQueue.getNextDue();
    const offset = Math.floor((checkOffsetOf(A) * MINUTE) / OFFSETS_PER_INTERVAL);
    expect(((check ?? 0) - offset) % MINUTE).toBe(0);
    expect(check).toBeGreaterThanOrEqual(now + MINUTE / 2);
    expect(check).toBeLessThan(now + 1.5 * MINUTE);
  });

  test('claims on healthy hosts are released together, except those of other servers', async () => {
    await addTasks([A], 10);
    await addTasks([B], 20);
    await claimDue('task', 'one', 15);
    await claimDue('task', 'two', 25);
    const released = await store().transaction(({ claims }) =>
      claims.releaseHealthy([A, B], { owner: 'one', now: 1000 }, MINUTE),
    );
    expect(released).toEqual([A]);
    expect(await isCurrent(B, 1, 'two')).toBe(true);
  });

  test('repairDueTimes spreads overdue checks over the next interval after an outage', async () => {
    await addTasks(many);
    await claimDue('task', 'one', 100, 2000);
    await store().transaction(async ({ claims }) => {
      for (const host of many) await claims.release(host, { nextCheck: { at: 200 } }, 150, MINUTE);
    });
    await store().transaction(({ hostQueue }) => hostQueue.repairDueTimes(10 * MINUTE, MINUTE));
    const inFirstHalf = await claimDue('check', 'one', 10.5 * MINUTE, 2000);
    const inSecondHalf = await claimDue('check', 'one', 11 * MINUTE, 2000);
    expect(inFirstHalf.length + inSecondHalf.length).toBe(many.length);
    expect(Math.abs(inFirstHalf.length - inSecondHalf.length)).toBeLessThan(many.length / 8);
  });

  test('repairDueTimes works in batches on many hosts', async () => {
    const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 6000)';
    await runSql(
      database(),
      `insert into host_queue (host, check_offset, check_due_at) ${numbers} select 'h' || i, 0, 0 from n`,
    );
    const repair = () => store().transaction(({ hostQueue }) => hostQueue.repairDueTimes(10 * MINUTE, MINUTE));
    expect(await repair()).toBe(true);
    expect(await repair()).toBe(false);
    expect((await store().reads.hostQueue.getNextDue()).check).toBe(10 * MINUTE);
  });

  test.each([
    ['a check that is due soon is kept', { at: 5000 }, 0, 5000],
    ['a check of an unreachable host may be five minutes later', { at: 5 * MINUTE }, 3, 5 * MINUTE],
    ['a check later than the maximum for a healthy host is rescheduled', { at: 4 * MINUTE }, 0, null],
    ['a check later than the maximum backoff is rescheduled', { at: 9 * MINUTE }, 3, null],
  ])('repairDueTimes after a clock jump: %s', async (_case, check, failures, expected) => {
    await addTasks([A]);
    await claimDue('task', 'one', 100);
    await store().transaction(async ({ claims, hostQueue }) => {
      await claims.release(A, { taskDueAt: null, nextCheck: check, failures }, 0, MINUTE);
      await hostQueue.repairDueTimes(1000, MINUTE);
    });
    const { check: due } = await store().reads.hostQueue.getNextDue();
    if (expected === null) expect(due).toBeLessThanOrEqual(MINUTE + 1000);
    else expect(due).toBe(expected);
  });

  test('tasks wait no longer than the maximum backoff after a clock jump', async () => {
    await store().transaction(async ({ tasks, hostQueue }) => {
      await tasks.insert([{ kind: 'bootstrap', host: A, enrolment: 'e' }], 0);
      await tasks.scheduleHosts([A], 60 * MINUTE);
      const [saved] = await tasks.listSaved(A);
      if (saved) await tasks.saveState(saved.id, saved.state, 60 * MINUTE);
      await hostQueue.repairDueTimes(1000, MINUTE);
    });
    expect((await store().reads.hostQueue.getNextDue()).task).toBe(1000);
    expect(await store().reads.tasks.getNextDue(A, 1000)).toBeDefined();
  });

  test('the saved state of a task is read as it was written', async () => {
    const state: TaskState = {
      ...{
        done: { wait_for_ssh: { a: 1 } },
        step: 'gather_facts',
        attempts: 2,
        jobRound: 3,
        retryTimeMs: 5,
        problem: 'p',
      },
      ...{ suppressedAttempts: 4, stepState: { since: 'x' } },
      rollback: { fromStep: 'drain', reason: { kind: 'failed', holdsSlot: true }, problem: 'q' },
    };
    const [before, after] = await store().transaction(async ({ tasks }) => {
      await tasks.insert([{ kind: 'bootstrap', host: A, enrolment: 'e' }], 0);
      const [saved] = await tasks.listSaved(A);
      if (saved) await tasks.saveState(saved.id, state, 0);
      return [saved?.state, (await tasks.listSaved(A))[0]?.state];
    });
    expect(before).toEqual(INITIAL_TASK_STATE);
    expect(after).toEqual(state);
  });

  test('prevent the removal of a row, so its fence continues', async () => {
    const removeUnlessClaimed = () => store().transaction(({ hostQueue }) => hostQueue.removeUnlessClaimed(A));
    await addTasks([A]);
    await claimDue('task', 'one', 100);
    await removeUnlessClaimed();
    expect(await isCurrent(A, 1, 'one')).toBe(true);
    await store().transaction(({ claims }) => claims.releaseAll('one'));
    await addTasks([A]);
    expect((await claimDue('task', 'one', 100))[0]?.fence).toBe(2);
    await store().transaction(({ claims }) => claims.releaseAll('one'));
    await removeUnlessClaimed();
    expect(await store().reads.hostQueue.getNextDue()).toEqual({ task: null, check: null });
  });

  test('corroborating checks are scheduled on hosts without failures', async () => {
    await addTasks(many);
    await claimDue('task', 'one', 100, 2000);
    await store().transaction(async ({ claims }) => {
      for (const [index, host] of many.entries())
        await claims.release(host, { nextCheck: { at: 5000 }, failures: index % 2 }, 150, MINUTE);
    });
    await store().transaction(({ hostQueue }) => hostQueue.scheduleCorroboratingChecks(many[0] as Address, 5, 1000));
    const scheduled = await claimDue('check', 'one', 1000, 100);
    expect(scheduled.length).toBe(5);
    expect(scheduled.every(({ host, failures }) => failures === 0 && host !== many[0])).toBe(true);
  });
});
