import { expect, test, vi } from 'vitest';
import { explainStatements, recordStatements } from '../../../../test/harness/stores/database-inspection.ts';
import { describeStore, openTestDatabase } from '../../../../test/harness/stores/stores.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { newHost } from '../../../domain/hosts/host.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';

const toAddress = (text: string) => text as Address;

describeStore('hosts with a source', { per: 'suite' }, ({ kind, store, database }) => {
  const enrol = (source: string, ...addresses: readonly string[]) =>
    store().transaction(async records => {
      for (const address of addresses)
        await records.hosts.insertOrLock(newHost(toAddress(address), { enrolment: 'e', source }));
    });
  const saveFacts = (source: string, factsByAddress: Readonly<Record<string, SourceFacts | null>>, now: number) => {
    const facts = Object.entries(factsByAddress).flatMap(([address, sourceFacts]) =>
      sourceFacts ? [[toAddress(address), sourceFacts] as const] : [],
    );
    return store().transaction(records =>
      records.sourcedHosts.saveFacts(source, Object.keys(factsByAddress).map(toAddress), new Map(facts), now),
    );
  };
  const entry = async (address: string) =>
    JSON.parse((await store().reads.hosts.getEntry(toAddress(address)))?.entryJson ?? '{}');

  test('are listed by source in address order, optionally only unread ones', async () => {
    await enrol('found', '127.1.0.9', '127.1.0.10', '::1');
    await enrol('other', '127.1.0.11');
    const { listAddresses, hasUnread } = store().reads.sourcedHosts;
    const found = (options: { after?: Address; onlyUnread?: boolean } = {}) =>
      listAddresses.call(store().reads.sourcedHosts, 'found', { limit: 2, ...options });
    expect(await found()).toEqual(['127.1.0.9', '127.1.0.10']);
    expect(await found({ after: toAddress('127.1.0.10') })).toEqual(['::1']);
    await saveFacts('found', { '127.1.0.9': { cpus: 1 }, '127.1.0.10': null }, 7);
    expect(await found({ onlyUnread: true })).toEqual(['::1']);
    expect(await hasUnread.call(store().reads.sourcedHosts, 'found')).toBe(true);
    await saveFacts('found', { '::1': null }, 8);
    expect(await hasUnread.call(store().reads.sourcedHosts, 'found')).toBe(false);
    expect(await store().reads.sourcedHosts.getLastReadAt(toAddress('127.1.0.10'))).toBe(7);
  });

  if (kind === 'sqlite') {
    test('are found by an index', async () => {
      const statements = recordStatements();
      const other = await openTestDatabase(database(), { attach: true });
      await other.reads.sourcedHosts.listAddresses('found', { limit: 2, after: toAddress('127.1.0.9') });
      await other.reads.sourcedHosts.hasUnread('found');
      const plans = explainStatements(database(), statements, ['hosts']);
      vi.restoreAllMocks();
      await other.close();
      expect(plans).toEqual([
        expect.stringMatching(/USING INDEX hosts_by_source \(source=\? AND sort_key>\?\)/),
        expect.stringMatching(/USING INDEX hosts_unread_by_source \(source=\?\)/),
      ]);
    });
  }

  test('show the facts of the source and keep their own', async () => {
    await enrol('merge', '127.2.0.1');
    const address = toAddress('127.2.0.1');
    const reported = { os: 'debian', cpus: 8, hostname: 'from-source' };
    await saveFacts('merge', { [address]: { ...reported, conditions: { Ready: 'True' } } }, 1);
    // The host itself reports later.
    await store().transaction(async records => {
      const host = await records.hosts.lock(address);
      if (host) await records.hosts.update({ ...host, os: 'fedora', cpus: 2, memoryKib: 5, hostname: 'own' });
    });
    expect(await entry(address)).toMatchObject({ os: 'debian', cpus: 8, memory: 5, space: 0 });
    expect(await store().reads.hosts.get(address)).toMatchObject({
      ...{ os: 'fedora', cpus: 2, memoryKib: 5, hostname: 'own' },
      sourceFacts: { ...reported, conditions: { Ready: 'True' } },
    });
    const listed = async (filter: object) => (await store().reads.hosts.list(filter, {})).items.length;
    expect([await listed({ os: 'debian' }), await listed({ os: 'fedora' })]).toEqual([1, 0]);
    expect([await listed({ hostname: 'from-source' }), await listed({ hostname: 'own' })]).toEqual([1, 0]);
  });

  test('show their own facts when the source no longer contains them', async () => {
    await enrol('gone', '127.3.0.1');
    await saveFacts('gone', { '127.3.0.1': { os: 'debian', cpus: 8 } }, 1);
    await saveFacts('gone', { '127.3.0.1': null }, 2);
    expect(await entry('127.3.0.1')).toMatchObject({ os: '', cpus: 0 });
    expect(await store().reads.hosts.get(toAddress('127.3.0.1'))).toMatchObject({
      os: '',
      sourceFacts: null,
    });
  });

  test('are not changed if they have another source or were removed', async () => {
    await enrol('another', '127.4.0.1');
    await saveFacts('late', { '127.4.0.1': { cpus: 8 }, '127.4.0.2': { cpus: 8 } }, 1);
    expect(await store().reads.hosts.get(toAddress('127.4.0.1'))).toMatchObject({ sourceFacts: null });
    expect(await store().reads.sourcedHosts.getLastReadAt(toAddress('127.4.0.1'))).toBeNull();
    expect(await store().reads.hosts.get(toAddress('127.4.0.2'))).toBeUndefined();
  });
});

describeStore('the refresh of a source', { per: 'suite' }, ({ store }) => {
  const scheduleBy = (source: string, dueAt: number) =>
    store().transaction(records => records.sourceRefreshes.scheduleBy(source, dueAt));
  const get = (source: string) => store().reads.sourceRefreshes.get(source);
  const FREE = { fence: 0, claimedUntil: 0 };
  const claim = (source: string, expected: { fence: number; claimedUntil: number } | undefined, now: number) =>
    store().transaction(records =>
      records.sourceRefreshes.claim(source, expected ?? FREE, {
        claimedUntil: now + 10,
        fullRefresh: { startedAt: now, nextDueAt: now + 300 },
      }),
    );

  test('is due at the earliest requested time', async () => {
    expect(await get('due')).toBeUndefined();
    await scheduleBy('due', 100);
    await scheduleBy('due', 200);
    expect(await get('due')).toEqual({ dueAt: 100, startedAt: 0, claimedUntil: 0, fence: 0, problem: '' });
    await scheduleBy('due', 50);
    expect((await get('due'))?.dueAt).toBe(50);
  });

  test('is claimed by one of several servers that saw it free', async () => {
    await scheduleBy('fast', 0);
    const seen = await get('fast');
    const first = await claim('fast', seen, 100);
    expect(first).toBeDefined();
    expect(await get('fast')).toMatchObject({ dueAt: 400, startedAt: 100, claimedUntil: 110 });
    expect(await claim('fast', seen, 100)).toBeUndefined();
    await store().transaction(records => records.sourceRefreshes.releaseClaim('fast', first ?? 0, ''));
    // Another server has refreshed it meanwhile.
    expect(await claim('fast', seen, 100)).toBeUndefined();
    expect(await claim('fast', await get('fast'), 100)).toBeDefined();
  });

  test('cannot be claimed after its claim was extended', async () => {
    await scheduleBy('late', 0);
    const first = await claim('late', await get('late'), 100);
    const seen = await get('late');
    await store().transaction(records => records.sourceRefreshes.extendClaim('late', first ?? 0, 500));
    expect(await claim('late', seen, 111)).toBeUndefined();
  });

  test('can only be released with the current fence', async () => {
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

  test('is due after the current refresh if it was requested meanwhile', async () => {
    await scheduleBy('meanwhile', 0);
    const fence = await claim('meanwhile', await get('meanwhile'), 100);
    await scheduleBy('meanwhile', 105);
    await store().transaction(records => records.sourceRefreshes.releaseClaim('meanwhile', fence ?? 0, ''));
    expect((await get('meanwhile'))?.dueAt).toBe(105);
  });

  test('is due again after the claim of an earlier process was released', async () => {
    await scheduleBy('earlier', 0);
    await claim('earlier', await get('earlier'), 100);
    const releaseStale = () => store().transaction(records => records.sourceRefreshes.releaseStaleClaim('earlier'));
    await releaseStale();
    expect(await get('earlier')).toMatchObject({ claimedUntil: 0, dueAt: 0 });
  });
});
