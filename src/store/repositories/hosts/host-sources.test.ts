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
  const saveFacts = (
    source: string,
    factsByAddress: Readonly<Record<string, SourceFacts | null>>,
    now: number,
  ) => {
    const facts = Object.entries(factsByAddress).flatMap(([address, sourceFacts]) =>
      sourceFacts ? [[at(address), sourceFacts] as const] : [],
    );
    return store().transaction(records =>
      records.sourcedHosts.saveFacts(source, Object.keys(factsByAddress).map(at), new Map(facts), now),
    );
  };
  const entry = async (address: string) =>
    JSON.parse((await store().reads.hosts.entryJson(at(address)))?.entryJson ?? '{}');

  test('are found by their source, in the order of their addresses, new ones by themselves', async () => {
    await enrol('found', '127.1.0.9', '127.1.0.10', '::1');
    await enrol('other', '127.1.0.11');
    const { listAddresses, hasUnread } = store().reads.sourcedHosts;
    const found = (options: { after?: Address; onlyUnread?: boolean } = {}) =>
      listAddresses.call(store().reads.sourcedHosts, 'found', { limit: 2, ...options });
    expect(await found()).toEqual(['127.1.0.9', '127.1.0.10']);
    expect(await found({ after: at('127.1.0.10') })).toEqual(['::1']);
    await saveFacts('found', { '127.1.0.9': { cpus: 1 }, '127.1.0.10': null }, 7);
    expect(await found({ onlyUnread: true })).toEqual(['::1']);
    expect(await hasUnread.call(store().reads.sourcedHosts, 'found')).toBe(true);
    await saveFacts('found', { '::1': null }, 8);
    expect(await hasUnread.call(store().reads.sourcedHosts, 'found')).toBe(false);
    expect(await store().reads.sourcedHosts.getLastReadAt(at('127.1.0.10'))).toBe(7);
  });

  if (kind === 'sqlite') {
    test('are found by an index of their own', async () => {
      const statements = noteStatements();
      const other = await openPlace(place(), { attach: true });
      await other.reads.sourcedHosts.listAddresses('found', { limit: 2, after: at('127.1.0.9') });
      await other.reads.sourcedHosts.hasUnread('found');
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
    await saveFacts('merge', { [address]: { ...told, conditions: { Ready: 'True' } } }, 1);
    // The host itself is looked at later.
    await store().transaction(async records => {
      const host = await records.hosts.lock(address);
      if (host) await records.hosts.update({ ...host, os: 'fedora', cpus: 2, memoryKib: 5, hostname: 'own' });
    });
    expect(await entry(address)).toMatchObject({ os: 'debian', cpus: 8, memory: 5, space: 0 });
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
    await saveFacts('gone', { '127.3.0.1': { os: 'debian', cpus: 8 } }, 1);
    await saveFacts('gone', { '127.3.0.1': null }, 2);
    expect(await entry('127.3.0.1')).toMatchObject({ os: '', cpus: 0 });
    expect(await store().reads.hosts.get(at('127.3.0.1'))).toMatchObject({ os: '', sourceFacts: null });
  });

  test('are left alone when they have another source by now, or are gone', async () => {
    await enrol('another', '127.4.0.1');
    await saveFacts('late', { '127.4.0.1': { cpus: 8 }, '127.4.0.2': { cpus: 8 } }, 1);
    expect(await store().reads.hosts.get(at('127.4.0.1'))).toMatchObject({ sourceFacts: null });
    expect(await store().reads.sourcedHosts.getLastReadAt(at('127.4.0.1'))).toBeNull();
    expect(await store().reads.hosts.get(at('127.4.0.2'))).toBeUndefined();
  });
});

onEachStoreAlone('the reading of a source', { per: 'suite' }, ({ store }) => {
  const scheduleBy = (source: string, dueAt: number) =>
    store().transaction(records => records.sourceRefreshes.scheduleBy(source, dueAt));
  const get = (source: string) => store().reads.sourceRefreshes.get(source);
  const FREE = { fence: 0, claimedUntil: 0 };
  const claim = (
    source: string,
    expected: { fence: number; claimedUntil: number } | undefined,
    now: number,
  ) =>
    store().transaction(records =>
      records.sourceRefreshes.claim(source, expected ?? FREE, {
        claimedUntil: now + 10,
        fullRefresh: { startedAt: now, nextDueAt: now + 300 },
      }),
    );

  test('is due at the earliest time that anybody asked for', async () => {
    expect(await get('due')).toBeUndefined();
    await scheduleBy('due', 100);
    await scheduleBy('due', 200);
    expect(await get('due')).toEqual({ dueAt: 100, startedAt: 0, claimedUntil: 0, fence: 0, problem: '' });
    await scheduleBy('due', 50);
    expect((await get('due'))?.dueAt).toBe(50);
  });

  test('is done by the one that is faster, of all that have seen it free', async () => {
    await scheduleBy('fast', 0);
    const seen = await get('fast');
    const first = await claim('fast', seen, 100);
    expect(first).toBeDefined();
    expect(await get('fast')).toMatchObject({ dueAt: 400, startedAt: 100, claimedUntil: 110 });
    expect(await claim('fast', seen, 100)).toBeUndefined();
    await store().transaction(records => records.sourceRefreshes.releaseClaim('fast', first ?? 0, ''));
    // It has been done meanwhile.
    expect(await claim('fast', seen, 100)).toBeUndefined();
    expect(await claim('fast', await get('fast'), 100)).toBeDefined();
  });

  test('is not taken from one that was heard of since it was looked at', async () => {
    await scheduleBy('late', 0);
    const first = await claim('late', await get('late'), 100);
    const seen = await get('late');
    await store().transaction(records => records.sourceRefreshes.extendClaim('late', first ?? 0, 500));
    expect(await claim('late', seen, 111)).toBeUndefined();
  });

  test('is ended by nobody but the one that has it', async () => {
    await scheduleBy('one', 0);
    const first = await claim('one', await get('one'), 100);
    const second = await claim('one', await get('one'), 111);
    expect(second).toBeGreaterThan(first ?? 0);
    const extend = (fence = 0) =>
      store().transaction(records => records.sourceRefreshes.extendClaim('one', fence, 500));
    expect([await extend(first), await extend(second)]).toEqual([false, true]);
    await store().transaction(records => records.sourceRefreshes.releaseClaim('one', first ?? 0, 'late'));
    expect(await get('one')).toMatchObject({ claimedUntil: 500, problem: '' });
    await store().transaction(records =>
      records.sourceRefreshes.releaseClaim('one', second ?? 0, 'the service is down'),
    );
    expect(await get('one')).toMatchObject({ claimedUntil: 0, problem: 'the service is down' });
  });

  test('that somebody asks for while it goes on is due when it is over', async () => {
    await scheduleBy('meanwhile', 0);
    const fence = await claim('meanwhile', await get('meanwhile'), 100);
    await scheduleBy('meanwhile', 105);
    await store().transaction(records => records.sourceRefreshes.releaseClaim('meanwhile', fence ?? 0, ''));
    expect((await get('meanwhile'))?.dueAt).toBe(105);
  });

  test('by an earlier process is begun anew on a store of our own', async () => {
    await scheduleBy('earlier', 0);
    await claim('earlier', await get('earlier'), 100);
    const releaseStale = () =>
      store().transaction(records => records.sourceRefreshes.releaseStaleClaim('earlier'));
    await releaseStale();
    expect(await get('earlier')).toMatchObject({ claimedUntil: 0, dueAt: 0 });
  });
});
