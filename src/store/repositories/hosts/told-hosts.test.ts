import { expect, test, vi } from 'vitest';
import { onEachStoreAlone } from '../../../../test/harness/stores/on-each-store-alone.ts';
import { noteStatements, plansOf } from '../../../../test/harness/stores/query-plans.ts';
import { openPlace } from '../../../../test/harness/stores/stores.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { newHost } from '../../../domain/hosts/host.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';

const at = (text: string) => text as Address;

onEachStoreAlone('hosts whose facts come from a source', { per: 'suite' }, ({ kind, store, place }) => {
  const enrol = (source: string, ...addresses: readonly string[]) =>
    store().transaction(async records => {
      for (const address of addresses)
        await records.hosts.insertOrLock(newHost(at(address), { enrolment: 'e', source }));
    });
  const write = (source: string, told: Readonly<Record<string, SourceFacts | null>>, now: number) => {
    const facts = Object.entries(told).flatMap(([address, known]) =>
      known ? [[at(address), known] as const] : [],
    );
    return store().transaction(records =>
      records.toldHosts.write(source, Object.keys(told).map(at), new Map(facts), now),
    );
  };
  const line = async (address: string) =>
    JSON.parse((await store().reads.hosts.line(at(address)))?.line ?? '{}');

  test('are found by their source, in the order of their addresses, new ones by themselves', async () => {
    await enrol('found', '127.1.0.9', '127.1.0.10', '::1');
    await enrol('other', '127.1.0.11');
    const { page, hasNew } = store().reads.toldHosts;
    const found = (options: { after?: Address; isNew?: boolean } = {}) =>
      page.call(store().reads.toldHosts, 'found', { limit: 2, ...options });
    expect(await found()).toEqual(['127.1.0.9', '127.1.0.10']);
    expect(await found({ after: at('127.1.0.10') })).toEqual(['::1']);
    await write('found', { '127.1.0.9': { cpus: 1 }, '127.1.0.10': null }, 7);
    expect(await found({ isNew: true })).toEqual(['::1']);
    expect(await hasNew.call(store().reads.toldHosts, 'found')).toBe(true);
    await write('found', { '::1': null }, 8);
    expect(await hasNew.call(store().reads.toldHosts, 'found')).toBe(false);
    expect(await store().reads.toldHosts.toldAt(at('127.1.0.10'))).toBe(7);
  });

  if (kind === 'sqlite') {
    test('are found by an index of their own', async () => {
      const statements = noteStatements();
      const other = await openPlace(place(), { visiting: true });
      await other.reads.toldHosts.page('found', { limit: 2, after: at('127.1.0.9') });
      await other.reads.toldHosts.hasNew('found');
      const plans = plansOf(place(), statements, ['hosts']);
      vi.restoreAllMocks();
      await other.close();
      expect(plans).toEqual([
        expect.stringMatching(/USING INDEX hosts_by_source \(source=\? AND sort_key>\?\)/),
        expect.stringMatching(/USING INDEX hosts_unread_by_source \(source=\?\)/),
      ]);
    });
  }

  test('show what the source tells, and keep what they say of themselves', async () => {
    await enrol('merge', '127.2.0.1');
    const address = at('127.2.0.1');
    const told = { os: 'debian', cpus: 8, hostname: 'as-told' };
    await write('merge', { [address]: { ...told, conditions: { Ready: 'True' } } }, 1);
    // The host itself is looked at later.
    await store().transaction(async records => {
      const host = await records.hosts.lock(address);
      if (host) await records.hosts.update({ ...host, os: 'fedora', cpus: 2, memoryKib: 5, hostname: 'own' });
    });
    expect(await line(address)).toMatchObject({ os: 'debian', cpus: 8, memory: 5, space: 0 });
    expect(await store().reads.hosts.get(address)).toMatchObject({
      ...{ os: 'fedora', cpus: 2, memoryKib: 5, hostname: 'own' },
      sourceFacts: { ...told, conditions: { Ready: 'True' } },
    });
    const listed = async (filter: object) => (await store().reads.hosts.list(filter, {})).items.length;
    expect([await listed({ os: 'debian' }), await listed({ os: 'fedora' })]).toEqual([1, 0]);
    expect([await listed({ hostname: 'as-told' }), await listed({ hostname: 'own' })]).toEqual([1, 0]);
  });

  test('show their own facts when the source does not know them any more', async () => {
    await enrol('gone', '127.3.0.1');
    await write('gone', { '127.3.0.1': { os: 'debian', cpus: 8 } }, 1);
    await write('gone', { '127.3.0.1': null }, 2);
    expect(await line('127.3.0.1')).toMatchObject({ os: '', cpus: 0 });
    expect(await store().reads.hosts.get(at('127.3.0.1'))).toMatchObject({ os: '', sourceFacts: null });
  });

  test('are left alone when they have another source by now, or are gone', async () => {
    await enrol('another', '127.4.0.1');
    await write('late', { '127.4.0.1': { cpus: 8 }, '127.4.0.2': { cpus: 8 } }, 1);
    expect(await store().reads.hosts.get(at('127.4.0.1'))).toMatchObject({ sourceFacts: null });
    expect(await store().reads.toldHosts.toldAt(at('127.4.0.1'))).toBeNull();
    expect(await store().reads.hosts.get(at('127.4.0.2'))).toBeUndefined();
  });
});

onEachStoreAlone('the reading of a source', { per: 'suite' }, ({ store }) => {
  const hasten = (source: string, dueAt: number) =>
    store().transaction(records => records.sourceReads.hasten(source, dueAt));
  const get = (source: string) => store().reads.sourceReads.get(source);
  const FREE = { fence: 0, busyUntil: 0 };
  const take = (source: string, seen: { fence: number; busyUntil: number } | undefined, now: number) =>
    store().transaction(records =>
      records.sourceReads.take(source, seen ?? FREE, {
        busyUntil: now + 10,
        whole: { beganAt: now, nextDueAt: now + 300 },
      }),
    );

  test('is due at the earliest time that anybody asked for', async () => {
    expect(await get('due')).toBeUndefined();
    await hasten('due', 100);
    await hasten('due', 200);
    expect(await get('due')).toEqual({ dueAt: 100, beganAt: 0, busyUntil: 0, fence: 0, problem: '' });
    await hasten('due', 50);
    expect((await get('due'))?.dueAt).toBe(50);
  });

  test('is done by the one that is faster, of all that have seen it free', async () => {
    await hasten('fast', 0);
    const seen = await get('fast');
    const first = await take('fast', seen, 100);
    expect(first).toBeDefined();
    expect(await get('fast')).toMatchObject({ dueAt: 400, beganAt: 100, busyUntil: 110 });
    expect(await take('fast', seen, 100)).toBeUndefined();
    await store().transaction(records => records.sourceReads.giveUp('fast', first ?? 0, ''));
    // It has been done meanwhile.
    expect(await take('fast', seen, 100)).toBeUndefined();
    expect(await take('fast', await get('fast'), 100)).toBeDefined();
  });

  test('is not taken from one that was heard of since it was looked at', async () => {
    await hasten('late', 0);
    const first = await take('late', await get('late'), 100);
    const seen = await get('late');
    await store().transaction(records => records.sourceReads.hold('late', first ?? 0, 500));
    expect(await take('late', seen, 111)).toBeUndefined();
  });

  test('is ended by nobody but the one that has it', async () => {
    await hasten('one', 0);
    const first = await take('one', await get('one'), 100);
    const second = await take('one', await get('one'), 111);
    expect(second).toBeGreaterThan(first ?? 0);
    const hold = (fence = 0) => store().transaction(records => records.sourceReads.hold('one', fence, 500));
    expect([await hold(first), await hold(second)]).toEqual([false, true]);
    await store().transaction(records => records.sourceReads.giveUp('one', first ?? 0, 'late'));
    expect(await get('one')).toMatchObject({ busyUntil: 500, problem: '' });
    await store().transaction(records =>
      records.sourceReads.giveUp('one', second ?? 0, 'the service is down'),
    );
    expect(await get('one')).toMatchObject({ busyUntil: 0, problem: 'the service is down' });
  });

  test('that somebody asks for while it goes on is due when it is over', async () => {
    await hasten('meanwhile', 0);
    const fence = await take('meanwhile', await get('meanwhile'), 100);
    await hasten('meanwhile', 105);
    await store().transaction(records => records.sourceReads.giveUp('meanwhile', fence ?? 0, ''));
    expect((await get('meanwhile'))?.dueAt).toBe(105);
  });

  test('by an earlier process is begun anew on a store of our own', async () => {
    await hasten('earlier', 0);
    await take('earlier', await get('earlier'), 100);
    const free = () => store().transaction(records => records.sourceReads.freeFromEarlier('earlier'));
    await free();
    expect(await get('earlier')).toMatchObject({ busyUntil: 0, dueAt: 0 });
  });
});
