import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { explainStatements, recordStatements } from '../../../test/harness/stores/database-inspection.ts';
import { newOperation, OPERATION_REQUEST } from '../../../test/harness/stores/operation-fixtures.ts';
import { describeStore } from '../../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';
import { unexplainedCount } from '../../domain/fleet-stats.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';

const [WEB, DB] = [toRecordName('web'), toRecordName('db')];
const AT = '2030-01-01T00:00:00.000000';
const STATUSES: Readonly<Record<number, HostStatus>> = {
  1: 'failed',
  2: 'unreachable',
  3: 'unreachable',
  4: 'unreachable',
};
const addressOf = (index: number) => `127.50.0.${index}` as Address;

describeStore('statistics', { per: 'suite' }, ({ kind, store, database, reopen }) => {
  beforeAll(async () => {
    await store().transaction(async records => {
      for (const name of [DB, WEB])
        await records.clusters.insertOrLock({
          ...{ name, network: toRecordName('n'), containerManager: null, revision: 'r' },
        });
      for (let index = 1; index <= 6; index += 1)
        await records.hosts.insertOrLock({
          ...newHost(addressOf(index), { enrolment: 'e', cluster: index > 4 ? null : WEB }),
          ...{ status: STATUSES[index] ?? 'active', maintenance: index === 2 ? 'disk' : null },
        });
      for (const [id, cluster, overrides] of [
        ['open', WEB, { state: 'running', blockedSinceMs: 5 }],
        ['waiting', DB, { state: 'paused', pause: 'window', blockedSinceMs: null }],
      ] as const) {
        const operation = newOperation(id, cluster, overrides);
        await records.operations.insert(operation, OPERATION_REQUEST, 0);
        await records.operations.updateStatus(operation, 0);
        const hosts = [1, 2, 3].map(position => ({ host: addressOf(position), enrolment: 'e', position }));
        await records.operationHosts.insert(id, hosts);
      }
      // Host 2 is in maintenance, an operation reboots host 3, and host 4 has an unexplained failure.
      const rebooting = await records.operationHosts.get('open', addressOf(3));
      if (rebooting) await records.operationHosts.update('open', { ...rebooting, phase: 'rebooting' });
      const finished = newOperation('over', toRecordName('gone'), { state: 'finished', finishedAt: AT });
      await records.operations.insert(finished, OPERATION_REQUEST, 0);
      await records.operations.updateStatus(finished, null);
      await records.operationHosts.insert('over', [{ host: addressOf(3), enrolment: 'e', position: 1 }]);
      await records.servers.register('alive', 100, '');
      await records.servers.register('dead', 10, '');
      const event = { type: 'cluster.removed', subject: 'x', cluster: WEB } as const;
      await records.outbox.add([toOutboxEntry(event, LOCAL_ACTOR, AT)]);
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
  });

  const readAll = async () => {
    const { statistics } = store().reads;
    return {
      ...{ hosts: await statistics.countHosts(), clusters: await statistics.countClusters() },
      ...{ operations: await statistics.countOperations(), phases: await statistics.countPhases() },
      ...{ events: await statistics.getEventStats(), webhooks: await statistics.listWebhooks() },
      servers: await statistics.countServers(50),
    };
  };

  test('count all records, but only open operations and live servers', async () => {
    const found = await readAll();
    const hosts = found.hosts.map(
      row => `${row.cluster} ${row.status} ${row.isInMaintenance} ${row.hosts}: ${unexplainedCount(row)}`,
    );
    expect(hosts.toSorted()).toEqual([
      'null active false 2: 2',
      'web failed false 1: 1',
      'web unreachable false 2: 1',
      'web unreachable true 1: 0',
    ]);
    expect(found.operations.toSorted((a, b) => a.state.localeCompare(b.state))).toEqual([
      { kind: 'restart', state: 'paused', pause: 'window', operations: 1, blockedSinceMs: null },
      { kind: 'restart', state: 'running', pause: null, operations: 1, blockedSinceMs: 5 },
    ]);
    expect(found.phases.toSorted((a, b) => a.hosts - b.hosts)).toEqual([
      { kind: 'restart', phase: 'rebooting', hosts: 1 },
      { kind: 'restart', phase: 'pending', hosts: 2 },
      { kind: 'restart', phase: 'pending', hosts: 3 },
    ]);
    expect(found).toMatchObject({ clusters: 2, webhooks: [], servers: 1 });
    expect(found.events).toEqual({ pending: 1, oldestAt: AT, position: 0 });
  });

  // PostgreSQL scans such small tables.
  if (kind === 'postgres') return;

  test('use index-only scans without a sort', async () => {
    const statements = recordStatements();
    await store().close();
    await reopen();
    await readAll();
    const steps = explainStatements(database(), statements, ['hosts', 'operation_hosts']);
    expect(steps).toContain('SCAN hosts USING COVERING INDEX hosts_by_cluster_status');
    expect(steps).toContain('SEARCH operation_hosts USING COVERING INDEX operation_hosts_by_phase (operation=?)');
    expect(steps.filter(step => step.includes('TEMP B-TREE'))).toEqual([]);
  });
});
