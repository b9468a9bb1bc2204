// What long lists and counts stand on: parts of one moment, and indexes. On both engines.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { onEachStoreAlone } from '../../test/harness/stores/on-each-store-alone.ts';
import { noteStatements, plansOf, scansOf } from '../../test/harness/stores/query-plans.ts';
import { runSql } from '../../test/harness/stores/stores.ts';
import type { Address } from '../domain/addresses/address.ts';
import { newHost } from '../domain/hosts/host.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Store } from './store.ts';

const HOSTS = 3000;
const addressOf = (index: number) => `127.1.${Math.floor(index / 250)}.${index % 250}` as Address;
const LARGE = toRecordName('crowd');
const SMALL = toRecordName('few');

onEachStoreAlone('lists', { per: 'suite' }, ({ kind, store, place, openAgain }) => {
  let statements: Set<string>;

  beforeAll(async () => {
    statements = noteStatements();
    await store().transaction(async records => {
      for (const name of [LARGE, SMALL]) {
        const network = toRecordName('default');
        await records.clusters.insertOrLock({ name, network, containerManager: null, revision: 'r' });
      }
      for (let index = 0; index < HOSTS; index += 1) {
        const cluster = index < 10 ? SMALL : LARGE;
        await records.hosts.insertOrLock(newHost(addressOf(index), { enrolment: 'e', cluster }));
        const zone = index % 300 === 0 ? 'rare' : 'usual';
        await records.hostLabels.replace(addressOf(index), { zone, rack: String(index % 7) });
      }
    });
    await runSql(place(), 'analyze');
  });
  afterAll(async () => {
    vi.restoreAllMocks();
  });

  test('reads of a snapshot see one moment, while others change and read what they changed', async () => {
    const [first, last] = [addressOf(10), addressOf(HOSTS - 1)];
    const statusOf = async (reads: Pick<Store['reads'], 'hosts'>, address: Address) =>
      (await reads.hosts.get(address))?.status;
    const statuses = await store().snapshot(async reads => {
      const before = await statusOf(reads, first);
      await store().transaction(records => records.hosts.setStatus([first, last], 'failed'));
      return [before, await statusOf(reads, last), await statusOf(store().reads, last)];
    });
    expect(statuses).toEqual(['investigating', 'investigating', 'failed']);
    await store().transaction(records => records.hosts.setStatus([first, last], 'investigating'));
  });

  test('a snapshot that fails lets the next one go on', async () => {
    const failing = store().snapshot(async () => {
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect(await store().snapshot(async reads => (await reads.hosts.get(addressOf(0)))?.address)).toBe(
      addressOf(0),
    );
  });

  /** What is asked often must not read every host. */
  const readFrequentQueries = async () => {
    await store().reads.clusters.getWithCounts(SMALL);
    await store().reads.hosts.listMemberAddresses(SMALL, {});
    await store().reads.hosts.entryJson(addressOf(5));
    await store().reads.hosts.list({}, { limit: 10, after: addressOf(100) });
    await store().reads.hosts.list({ cluster: SMALL }, { limit: 10 });
    await store().reads.hosts.list({ status: 'failed' }, { limit: 10 });
    await store().reads.hosts.listExtended({}, { limit: 10, after: addressOf(100) });
    await store().reads.inventory.hosts({}, { limit: 10, after: addressOf(100) });
    await store().reads.inventory.hosts({ address: addressOf(5) }, { limit: 1 });
  };

  const readByLabel = async () => {
    const labels = [{ key: 'zone', value: 'rare' }, { key: 'rack' }];
    await store().reads.hosts.list({ labels }, { limit: 5 });
    await store().reads.hosts.list({ labels: labels.slice(0, 1) }, { limit: 5, after: addressOf(100) });
  };

  const readLabelNames = async () => {
    const { hostLabels } = store().reads;
    const keys = await hostLabels.listKeys({ after: undefined, limit: 5 });
    const values = await hostLabels.listValues('zone', { after: undefined, limit: 5 });
    expect([keys, values]).toEqual([
      ['rack', 'zone'],
      ['rare', 'usual'],
    ]);
    expect(await hostLabels.listKeys({ after: 'rack', limit: 1 })).toEqual(['zone']);
    expect(await hostLabels.listValues('rack', { after: '1', limit: 3 })).toEqual(['2', '3', '4']);
  };

  /** How SQLite goes about what is asked. */
  async function plans(read: () => Promise<void>): Promise<readonly string[]> {
    statements.clear();
    await store().close();
    await openAgain();
    await read();
    return plansOf(place(), statements, ['hosts', 'clusters', 'host_labels']);
  }

  /** How often PostgreSQL has read all hosts or all labels. */
  const scans = () => scansOf(place(), ['hosts', 'host_labels']);

  async function expectNoScans(read: () => Promise<void>) {
    await store().close();
    await openAgain();
    const before = await scans();
    for (let count = 0; count < 20; count += 1) await read();
    await store().close();
    expect(await scans()).toBe(before);
    await openAgain();
  }

  test('counts and pages are found by an index, however many hosts there are', async () => {
    if (kind === 'postgres') return expectNoScans(readFrequentQueries);
    const steps = await plans(readFrequentQueries);
    expect(steps.length).toBeGreaterThanOrEqual(5);
    // The labels of one host, as they are found.
    const rest = steps.filter(step => step !== 'SCAN pairs');
    expect(rest.filter(step => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    // The counts are in the index, maintenance included.
    expect(steps).toContainEqual(expect.stringContaining('COVERING INDEX hosts_by_cluster_status'));
  });

  test('an overview counts all hosts in the order of an index, without sorting them', async () => {
    const { hosts, clusters } = await store().reads.overview.read();
    expect(hosts).toEqual({ investigating: HOSTS });
    expect(clusters.map(({ name, members }) => [name, members])).toEqual([
      ['crowd', { investigating: HOSTS - 10 }],
      ['few', { investigating: 10 }],
    ]);
    if (kind === 'postgres') return;
    const steps = await plans(async () => void (await store().reads.overview.read()));
    expect(steps).toContain('SCAN hosts USING COVERING INDEX hosts_by_cluster_status');
    expect(steps.filter(step => step.includes('TEMP B-TREE'))).toEqual([]);
  });

  test('which labels there are is found by their index, however many hosts have the same', async () => {
    if (kind === 'postgres') return expectNoScans(readLabelNames);
    const steps = await plans(readLabelNames);
    expect(steps.filter(step => step.includes('SCAN host_labels'))).toEqual([]);
    const searches = steps.filter(step =>
      step.startsWith('SEARCH host_labels USING COVERING INDEX host_labels_by_key_value'),
    );
    expect(searches.length).toBeGreaterThanOrEqual(6);
  });

  test('hosts with a label are found by the index of labels, and only they are sorted', async () => {
    if (kind === 'postgres') return expectNoScans(readByLabel);
    const steps = await plans(readByLabel);
    expect(steps.filter(step => step.startsWith('SCAN'))).toEqual([]);
    expect(
      steps.filter(step => /COVERING INDEX host_labels_by_key_value \(key=\? AND value=\?/.test(step)),
    ).toHaveLength(2);
  });
});
