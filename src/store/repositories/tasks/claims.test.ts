import { beforeEach, expect, test } from 'vitest';
import { onEachStoreAlone } from '../../../../test/harness/stores/on-each-store-alone.ts';
import { runSql } from '../../../../test/harness/stores/stores.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { SLOTS_PER_INTERVAL, slotOf } from '../../../domain/tasks/host-queue.ts';
import type { TaskState } from '../../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../../domain/tasks/task.ts';

const [A, B, C] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as [Address, Address, Address];
const MINUTE = 60_000;
const FOREVER = Number.MAX_SAFE_INTEGER;
const many = Array.from({ length: 1200 }, (_, index) => `127.1.${index >> 8}.${index & 255}` as Address);

onEachStoreAlone('who has which host', { per: 'test' }, ({ store, place }) => {
  beforeEach(async () => {
    await store().transaction(async ({ servers }) => {
      for (const name of ['one', 'two', 'three', 'four', 'five']) await servers.register(name, FOREVER, '');
    });
  });

  const addTasks = (hosts: readonly Address[], now = 100) =>
    store().transaction(records => records.hostQueue.addTasks(hosts, now));
  const claimDue = (claimKind: 'task' | 'check', owner: string, now: number, limit = 10) =>
    store().transaction(records => records.claims.claimDue(claimKind, { owner, now }, limit));
  const isCurrent = (host: Address, fence: number, owner: string) =>
    store().transaction(records => records.claims.lockIfCurrent({ host, fence }, owner));

  test('a host is taken by one server, when its work is due and not before', async () => {
    await addTasks([A]);
    expect(await claimDue('task', 'one', 99)).toEqual([]);
    expect(await claimDue('task', 'one', 100)).toEqual([
      { host: A, fence: 1, failures: 0, isFactsDue: true },
    ]);
    expect(await claimDue('task', 'two', 200)).toEqual([]);
  });

  test('a server that is not known, or not any more, takes nothing', async () => {
    await addTasks([A]);
    await store().transaction(({ servers }) => servers.register('late', 150, ''));
    expect(await claimDue('task', 'stranger', 100)).toEqual([]);
    expect(await claimDue('task', 'late', 150)).toEqual([]);
    expect((await claimDue('task', 'late', 149)).length).toBe(1);
  });

  test('the longest due are taken first, as many as asked for', async () => {
    await addTasks([A], 30);
    await addTasks([B], 10);
    await addTasks([C], 20);
    const claims = await claimDue('task', 'one', 100, 2);
    expect(claims.map(claim => claim.host).sort()).toEqual([B, C]);
  });

  test('of servers that take at the same time no two get the same host, and none is left', async () => {
    await addTasks(many);
    const servers = ['one', 'two', 'three', 'four'];
    const claims = await Promise.all(servers.map(owner => claimDue('task', owner, 100, 400)));
    const rest = await claimDue('task', 'five', 100, 2000);
    const hosts = [...claims.flat(), ...rest].map(claim => claim.host);
    expect(hosts.length).toBe(many.length);
    expect(new Set(hosts).size).toBe(many.length);
  });

  test('what is due and who has how much of it is counted, for work and checks each', async () => {
    await addTasks(many.slice(0, 5), 1000);
    await addTasks(many.slice(5, 12), 1400);
    await claimDue('task', 'one', 1400, 2);
    await claimDue('task', 'two', 1400, 1);
    await store().transaction(async ({ claims }) => {
      const [checked] = await claims.claimDue('task', { owner: 'two', now: 1400 }, 1);
      const later = { taskDueAt: null, check: { at: 1450 } };
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

  test('the fence rises with every claim, and an older one does not hold', async () => {
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

  test('what a server had that is not heard of any more is free again; what one has that is alive is not', async () => {
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
    expect((await store().reads.servers.getView('three', 0)).nextExpiry).toBe(1500);
    expect(await claimDue('task', 'dead', 1000)).toEqual([]);
  });

  test('a lease is renewed in time or not at all', async () => {
    await store().transaction(({ servers }) => servers.register('late', 500, ''));
    const renew = (now: number) =>
      store().transaction(({ servers }) => servers.renew('late', now, now + 500));
    expect(await renew(499)).toBe(true);
    expect(await renew(999)).toBe(false);
    expect(await renew(998)).toBe(true);
  });

  test('work that is saved while a server has the host is due when it gives the host up to be checked', async () => {
    await addTasks([A]);
    const [claim] = await claimDue('task', 'one', 100);
    await addTasks([A], 150);
    await store().transaction(({ claims }) => claims.release(A, { check: { at: 900 } }, 200, MINUTE));
    expect(claim?.host).toBe(A);
    expect(await store().reads.hostQueue.nextDue()).toEqual({ task: 150, check: 900 });
  });

  test('a host is checked at its own place in the interval, not sooner than after half of it', async () => {
    await addTasks(many);
    await claimDue('task', 'one', 100, 2000);
    const now = 1_700_000_012_345;
    await store().transaction(async ({ claims }) => {
      for (const host of many)
        await claims.release(host, { taskDueAt: null, check: 'next_slot' }, now, MINUTE);
    });
    expect(await claimDue('check', 'one', now + MINUTE / 2 - 1, 2000)).toEqual([]);
    const early = await claimDue('check', 'one', now + MINUTE, 2000);
    const late = await claimDue('check', 'one', now + 1.5 * MINUTE, 2000);
    expect(early.length + late.length).toBe(many.length);
    expect(Math.abs(early.length - late.length)).toBeLessThan(many.length / 8);
  });

  test('the place that the store computes is the one that the phase stands for', async () => {
    await addTasks([A]);
    await claimDue('task', 'one', 100);
    const now = 1_700_000_012_345;
    await store().transaction(({ claims }) => claims.release(A, { check: 'next_slot' }, now, MINUTE));
    const { check } = await store().reads.hostQueue.nextDue();
    const slot = Math.floor((slotOf(A) * MINUTE) / SLOTS_PER_INTERVAL);
    expect(((check ?? 0) - slot) % MINUTE).toBe(0);
    expect(check).toBeGreaterThanOrEqual(now + MINUTE / 2);
    expect(check).toBeLessThan(now + 1.5 * MINUTE);
  });

  test('hosts that a check found as they were are given up together, but those of others are not touched', async () => {
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

  test('checks that are long overdue are spread over the coming interval', async () => {
    await addTasks(many);
    await claimDue('task', 'one', 100, 2000);
    await store().transaction(async ({ claims }) => {
      for (const host of many) await claims.release(host, { check: { at: 200 } }, 150, MINUTE);
    });
    await store().transaction(({ hostQueue }) => hostQueue.repairDueTimes(10 * MINUTE, MINUTE));
    const inFirstHalf = await claimDue('check', 'one', 10.5 * MINUTE, 2000);
    const inSecondHalf = await claimDue('check', 'one', 11 * MINUTE, 2000);
    expect(inFirstHalf.length + inSecondHalf.length).toBe(many.length);
    expect(Math.abs(inFirstHalf.length - inSecondHalf.length)).toBeLessThan(many.length / 8);
  });

  test('an agenda of very many hosts is put in order by and by', async () => {
    const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 6000)';
    await runSql(
      place(),
      `insert into host_queue (host, check_offset, check_due_at) ${numbers} select 'h' || i, 0, 0 from n`,
    );
    const repair = () =>
      store().transaction(({ hostQueue }) => hostQueue.repairDueTimes(10 * MINUTE, MINUTE));
    expect(await repair()).toBe(true);
    expect(await repair()).toBe(false);
    expect((await store().reads.hostQueue.nextDue()).check).toBe(10 * MINUTE);
  });

  test.each([
    ['a check that was due in a moment stays', { at: 5000 }, 0, 5000],
    ['a check of a host that is away may be five minutes off', { at: 5 * MINUTE }, 3, 5 * MINUTE],
    [
      'a check that is later than a host that is well ever waits is brought back',
      { at: 4 * MINUTE },
      0,
      null,
    ],
    ['a check that is later than any host ever waits is brought back', { at: 9 * MINUTE }, 3, null],
  ])('when the clock was set, %s', async (_what, check, failures, expected) => {
    await addTasks([A]);
    await claimDue('task', 'one', 100);
    await store().transaction(async ({ claims, hostQueue }) => {
      await claims.release(A, { taskDueAt: null, check, failures }, 0, MINUTE);
      await hostQueue.repairDueTimes(1000, MINUTE);
    });
    const { check: due } = await store().reads.hostQueue.nextDue();
    if (expected === null) expect(due).toBeLessThanOrEqual(MINUTE + 1000);
    else expect(due).toBe(expected);
  });

  test('when the clock was set, work does not wait longer than it ever does', async () => {
    await store().transaction(async ({ tasks, hostQueue }) => {
      await tasks.insert([{ kind: 'bootstrap', host: A, enrolment: 'e' }]);
      await hostQueue.addTasks([A], 60 * MINUTE);
      const [saved] = await tasks.listSaved(A);
      if (saved) await tasks.saveState(saved.id, saved.state, 60 * MINUTE);
      await hostQueue.repairDueTimes(1000, MINUTE);
    });
    expect((await store().reads.hostQueue.nextDue()).task).toBe(1000);
    expect(await store().reads.tasks.getNextDue(A, 1000)).toBeDefined();
  });

  test('the progress of a task is read as it was saved', async () => {
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
      await tasks.insert([{ kind: 'bootstrap', host: A, enrolment: 'e' }]);
      const [saved] = await tasks.listSaved(A);
      if (saved) await tasks.saveState(saved.id, state, 0);
      return [saved?.state, (await tasks.listSaved(A))[0]?.state];
    });
    expect(before).toEqual(INITIAL_TASK_STATE);
    expect(after).toEqual(state);
  });

  test('the row of a host that is removed goes, unless somebody has it; then its fence goes on', async () => {
    const removeUnlessClaimed = () =>
      store().transaction(({ hostQueue }) => hostQueue.removeUnlessClaimed(A));
    await addTasks([A]);
    await claimDue('task', 'one', 100);
    await removeUnlessClaimed();
    expect(await isCurrent(A, 1, 'one')).toBe(true);
    await store().transaction(({ claims }) => claims.releaseAll('one'));
    await addTasks([A]);
    expect((await claimDue('task', 'one', 100))[0]?.fence).toBe(2);
    await store().transaction(({ claims }) => claims.releaseAll('one'));
    await removeUnlessClaimed();
    expect(await store().reads.hostQueue.nextDue()).toEqual({ task: null, check: null });
  });

  test('witnesses are called among those that were well', async () => {
    await addTasks(many);
    await claimDue('task', 'one', 100, 2000);
    await store().transaction(async ({ claims }) => {
      for (const [index, host] of many.entries())
        await claims.release(host, { check: { at: 5000 }, failures: index % 2 }, 150, MINUTE);
    });
    await store().transaction(({ hostQueue }) =>
      hostQueue.scheduleCorroboratingChecks(many[0] as Address, 5, 1000),
    );
    const scheduled = await claimDue('check', 'one', 1000, 100);
    expect(scheduled.length).toBe(5);
    expect(scheduled.every(({ host, failures }) => failures === 0 && host !== many[0])).toBe(true);
  });
});
