import type { Selectable } from 'kysely';
import type { Cluster, ClusterWithCounts, MemberCounts } from '../../domain/cluster.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind, HostStatus } from '../../domain/vocabulary.ts';
import { prepare } from '../prepare.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Tables } from '../tables/tables.ts';
import { forUpdate } from './queries/for-update.ts';
import { insertOrLock } from './queries/insert-or-lock.ts';
import type { PageParams } from './queries/page-query.ts';
import { limited, pageParams, toListed } from './queries/page-query.ts';

type Row = Selectable<Tables['clusters']>;

export const CLUSTER_COLUMNS = ['name', 'network', 'container_manager', 'revision'] as const;

export const toCluster = (row: Row): Cluster => ({
  name: row.name,
  network: row.network,
  containerManager: row.container_manager,
  revision: row.revision,
});

const toRow = (cluster: Cluster): Row => ({
  name: cluster.name,
  network: cluster.network,
  container_manager: cluster.containerManager,
  revision: cluster.revision,
});

type Key = Pick<Row, 'name'>;

const one = ({ db }: SqlSession, { name }: Key) =>
  db.selectFrom('clusters').select(CLUSTER_COLUMNS).where('name', '=', name);
const clusterOf = prepare(one);
const lockedCluster = prepare((session: SqlSession, key: Key) =>
  forUpdate(session.engine, one(session, key)),
);

/** Answered from the index `hosts_by_cluster_status` alone, so it takes as long as the cluster has members, however many hosts there are. */
const membersByStatus = prepare(({ db }: SqlSession, { name }: Key) =>
  db
    .selectFrom('hosts')
    .where('cluster', '=', name)
    .groupBy(['status', 'in_maintenance'])
    .select(['status', 'in_maintenance'])
    .select(({ fn }) => fn.countAll<number>().as('members')),
);

/** The cluster, once for each status that members of it have, in maintenance or not. */
const clusterByStatus = prepare(({ db }: SqlSession, { name }: Key) =>
  db
    .selectFrom('clusters')
    .leftJoin('hosts', 'hosts.cluster', 'clusters.name')
    .where('clusters.name', '=', name)
    .groupBy(['clusters.name', 'hosts.status', 'hosts.in_maintenance'])
    .select([...CLUSTER_COLUMNS, 'status', 'in_maintenance'])
    .select(({ fn }) => fn.count<number>('hosts.status').as('members')),
);

interface CountedRow {
  /** Null where a cluster has no members. */
  readonly status: HostStatus | null;
  readonly in_maintenance: number | null;
  readonly members: number;
}

export function toCounts(rows: readonly CountedRow[]): MemberCounts {
  const counts: { -readonly [Kind in keyof MemberCounts]: MemberCounts[Kind] } = {};
  for (const { status, in_maintenance, members } of rows) {
    if (status === null) continue;
    const kind = status === 'active' && in_maintenance ? 'in_maintenance' : status;
    counts[kind] = (counts[kind] ?? 0) + members;
  }
  return counts;
}

const namesAfter = prepare(({ db }: SqlSession, { after, limit }: PageParams<RecordName>) => {
  const query = limited(db.selectFrom('clusters').select('name').orderBy('name'), limit);
  return after === undefined ? query : query.where('name', '>', after);
});

export class ClusterRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(name: RecordName): Promise<Cluster | undefined> {
    const [row] = await clusterOf(this.#session, { name });
    return row && toCluster(row);
  }

  async memberCounts(name: RecordName): Promise<MemberCounts> {
    return toCounts(await membersByStatus(this.#session, { name }));
  }

  async getWithCounts(name: RecordName): Promise<ClusterWithCounts | undefined> {
    const rows = await clusterByStatus(this.#session, { name });
    const [first] = rows;
    if (first === undefined) return undefined;
    return { ...toCluster(first), members: toCounts(rows) };
  }

  async names(page: PageRequest<RecordName>): Promise<Page<RecordName>> {
    return toListed(await namesAfter(this.#session, pageParams(page)), page, row => row.name);
  }

  async lock(name: RecordName): Promise<Cluster | undefined> {
    this.#session.order.next('cluster', name);
    const [row] = await lockedCluster(this.#session, { name });
    return row && toCluster(row);
  }

  /** Some clusters that use a network or container manager; empty when none does. */
  async someUsing(kind: DriverRecordKind, name: RecordName): Promise<readonly RecordName[]> {
    const rows = await this.#session.db
      .selectFrom('clusters')
      .select('name')
      .where(kind, '=', name)
      .orderBy('name')
      .limit(5)
      .execute();
    return rows.map(row => row.name);
  }

  /** The cluster of that name that is there, locked; `undefined` when this one was made. */
  insertOrLock(cluster: Cluster): Promise<Cluster | undefined> {
    return insertOrLock(
      () => this.lock(cluster.name),
      () => this.#insert(cluster),
    );
  }

  async #insert(cluster: Cluster): Promise<boolean> {
    const inserted = await this.#session.db
      .insertInto('clusters')
      .values(toRow(cluster))
      .onConflict(conflict => conflict.doNothing())
      .returning('name')
      .execute();
    return inserted.length > 0;
  }

  async update(cluster: Cluster): Promise<void> {
    await this.#session.db
      .updateTable('clusters')
      .set(toRow(cluster))
      .where('name', '=', cluster.name)
      .execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.#session.db.deleteFrom('clusters').where('name', '=', name).execute();
  }
}
