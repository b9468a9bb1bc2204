// Snapshots and index use of long lists and counts, on both engines.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  countSequentialScans,
  explainStatements,
  recordStatements,
} from '../../test/harness/stores/database-inspection.ts';
import { insertHosts, insertRows } from '../../test/harness/stores/insert-rows.ts';
import { describeStore, runSql } from '../../test/harness/stores/stores.ts';
import type { Address } from '../domain/addresses/address.ts';
import { newHost } from '../domain/hosts/host.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Store } from './store.ts';

const HOSTS = 3000;
const addressOf = (index: number) => `127.1.${Math.floor(index / 250)}.${index % 250}` as Address;
const LARGE = toRecordName('large');
const SMALL = toRecordName('small');

describeStore('lists and counts', { per: 'suite' }, ({ kind, store, database, reopen }) => {
  let statements: Set<string>;

  beforeAll(async () => {
    statements = recordStatements();
    await store().transaction(async records => {
      for (const name of [LARGE, SMALL]) {
        const network = toRecordName('default');
        await records.clusters.insertOrLock({ name, network, containerManager: null, revision: 'r' });
      }
    });
    const indexes = Array.from({ length: HOSTS }, (_, index) => index);
    await insertHosts(
      database(),
      indexes.map(index => newHost(addressOf(index), { enrolment: 'e', cluster: index < 10 ? SMALL : LARGE })),
    );
    await insertRows(
      database(),
      'host_labels',
      indexes.flatMap(index => [
        { host: addressOf(index), key: 'zone', value: index % 300 === 0 ? 'rare' : 'usual' },
        { host: addressOf(index), key: 'rack', value: String(index % 7) },
      ]),
    );
    await runSql(database(), 'analyze');
  });
  afterAll(async () => {
    vi.restoreAllMocks();
  });

  test('reads of a snapshot see one state while other transactions commit changes', async () => {
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

  test('a failed snapshot does not block the next one', async () => {
    const failing = store().snapshot(async () => {
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect(await store().snapshot(async reads => (await reads.hosts.get(addressOf(0)))?.address)).toBe(addressOf(0));
  });

  /** Frequent queries must not read every host. */
  const readFrequentQueries = async () => {
    await store().reads.clusters.getWithCounts(SMALL);
    await store().reads.hosts.listMemberAddresses(SMALL, {});
    await store().reads.hosts.getEntry(addressOf(5));
    await store().reads.hosts.list({}, { limit: 10, after: addressOf(100) });
    await store().reads.hosts.list({ cluster: SMALL }, { limit: 10 });
    await store().reads.hosts.list({ status: 'failed' }, { limit: 10 });
    await store().reads.hosts.listExtended({}, { limit: 10, after: addressOf(100) });
    await store().reads.hosts.listInventory({}, { limit: 10, after: addressOf(100) });
    await store().reads.hosts.listInventory({ address: addressOf(5) }, { limit: 1 });
  };

  const readByLabelOrHostname = async () => {
    const labels = [{ key: 'zone', value: 'rare' }, { key: 'rack' }];
    await store().reads.hosts.list({ labels }, { limit: 5 });
    await store().reads.hosts.list({ labels: labels.slice(0, 1) }, { limit: 5, after: addressOf(100) });
    await store().reads.hosts.list({ hostname: 'web-1' }, { limit: 5 });
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

  /** Returns the query plans of SQLite. */
  async function plans(read: () => Promise<void>): Promise<readonly string[]> {
    statements.clear();
    await store().close();
    await reopen();
    await read();
    return explainStatements(database(), statements, ['hosts', 'clusters', 'host_labels']);
  }

  /** Returns how often PostgreSQL scanned these tables. */
  const scans = () => countSequentialScans(database(), ['hosts', 'host_labels']);

  async function expectNoScans(read: () => Promise<void>) {
    await store().close();
    await reopen();
    const before = await scans();
    for (let count = 0; count < 20; count += 1) await read();
    await store().close();
    expect(await scans()).toBe(before);
    await reopen();
  }

  test('counts and pages use an index', async () => {
    if (kind === 'postgres') return expectNoScans(readFrequentQueries);
    const steps = await plans(readFrequentQueries);
    expect(steps.length).toBeGreaterThanOrEqual(5);
    // The labels of one host, in index order.
    const rest = steps.filter(step => step !== 'SCAN pairs');
    expect(rest.filter(step => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    // The index also contains the maintenance flag.
    expect(steps).toContainEqual(expect.stringContaining('COVERING INDEX hosts_by_cluster_status'));
  });

  test('the overview counts all hosts in index order without a sort', async () => {
    const { hosts, clusters } = await store().reads.overview.read();
    expect(hosts).toEqual({ investigating: HOSTS });
    expect(clusters.map(({ name, members }) => [name, members])).toEqual([
      ['large', { investigating: HOSTS - 10 }],
      ['small', { investigating: 10 }],
    ]);
    if (kind === 'postgres') return;
    const steps = await plans(async () => void (await store().reads.overview.read()));
    expect(steps).toContain('SCAN hosts USING COVERING INDEX hosts_by_cluster_status');
    expect(steps.filter(step => step.includes('TEMP B-TREE'))).toEqual([]);
  });

  test('label keys and values are listed by an index, independent of the number of hosts', async () => {
    if (kind === 'postgres') return expectNoScans(readLabelNames);
    const steps = await plans(readLabelNames);
    expect(steps.filter(step => step.includes('SCAN host_labels'))).toEqual([]);
    const searches = steps.filter(step =>
      step.startsWith('SEARCH host_labels USING COVERING INDEX host_labels_by_key_value'),
    );
    expect(searches.length).toBeGreaterThanOrEqual(6);
  });

  test('hosts with a label or a hostname are found by an index, and only these are sorted', async () => {
    if (kind === 'postgres') return expectNoScans(readByLabelOrHostname);
    const steps = await plans(readByLabelOrHostname);
    expect(steps.filter(step => step.startsWith('SCAN'))).toEqual([]);
    expect(
      steps.filter(step => /COVERING INDEX host_labels_by_key_value \(key=\? AND value=\?/.test(step)),
    ).toHaveLength(2);
  });
});
