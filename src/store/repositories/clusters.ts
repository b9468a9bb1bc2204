import type { Cluster, ClusterWithCounts, MemberCounts } from '../../domain/cluster.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import type { ClusterStatus, DriverRecordKind, HostStatus } from '../../domain/vocabulary.ts';
import type { SqlSession } from '../sql-session.ts';
import { prepareQuery, Repository } from '../sql-session.ts';
import { policyInputJson } from './operations/operation-rows.ts';
import type { PageParams } from './query-building.ts';
import { insertIfAbsent, insertOrLock, prepareLookup, toPage, toPageParams, withLimit } from './query-building.ts';

export const CLUSTER_COLUMNS = ['name', 'network', 'container_manager as containerManager', 'revision'] as const;

const toRow = ({ name, network, containerManager, revision }: Cluster) => ({
  name,
  network,
  container_manager: containerManager,
  revision,
});

type Key = { readonly name: RecordName };

const clusterByName = prepareLookup(({ db }: SqlSession, { name }: Key) =>
  db.selectFrom('clusters').select(CLUSTER_COLUMNS).where('name', '=', name),
);

/** An index-only scan of `hosts_by_cluster_status`. Its time does not depend on the size of the fleet. */
const countMembersByStatus = prepareQuery(({ db }: SqlSession, { name }: Key) =>
  db
    .selectFrom('hosts')
    .where('cluster', '=', name)
    .groupBy(['status', 'in_maintenance'])
    .select(['status', 'in_maintenance'])
    .select(({ fn }) => fn.countAll<number>().as('members')),
);

/** One row for each status of its members, in maintenance or not. */
const findClusterWithCounts = prepareQuery(({ db }: SqlSession, { name }: Key) =>
  db
    .selectFrom('clusters')
    .leftJoin('hosts', 'hosts.cluster', 'clusters.name')
    .where('clusters.name', '=', name)
    .groupBy(['clusters.name', 'hosts.status', 'hosts.in_maintenance'])
    .select([...CLUSTER_COLUMNS, 'status', 'in_maintenance'])
    .select(({ fn }) => fn.count<number>('hosts.status').as('members')),
);

interface StatusCountRow {
  /** Null if the cluster has no members. */
  readonly status: HostStatus | null;
  readonly in_maintenance: number | null;
  readonly members: number;
}

export function toMemberCounts(rows: readonly StatusCountRow[]): MemberCounts {
  const counts: { -readonly [Kind in keyof MemberCounts]: MemberCounts[Kind] } = {};
  for (const { status, in_maintenance, members } of rows) {
    if (status === null) continue;
    const kind = status === 'active' && in_maintenance ? 'in_maintenance' : status;
    counts[kind] = (counts[kind] ?? 0) + members;
  }
  return counts;
}

const listNamesAfter = prepareQuery(({ db }: SqlSession, { after, limit }: PageParams<RecordName>) => {
  const query = withLimit(db.selectFrom('clusters').select('name').orderBy('name'), limit);
  return after === undefined ? query : query.where('name', '>', after);
});

const listAfter = prepareQuery(({ db }: SqlSession, { after, limit }: PageParams<RecordName>) => {
  const query = withLimit(db.selectFrom('clusters').select(CLUSTER_COLUMNS).orderBy('name'), limit);
  return after === undefined ? query : query.where('name', '>', after);
});

/** An index-only scan of `hosts_by_cluster_status`. */
const countMembersBetween = prepareQuery(
  ({ db }: SqlSession, { first, last }: { first: RecordName; last: RecordName }) =>
    db
      .selectFrom('hosts')
      .where('cluster', '>=', first)
      .where('cluster', '<=', last)
      .groupBy(['cluster', 'status', 'in_maintenance'])
      .select(['cluster', 'status', 'in_maintenance'])
      .select(({ fn }) => fn.countAll<number>().as('members')),
);

export class ClusterRepository extends Repository {
  get(name: RecordName): Promise<Cluster | undefined> {
    return clusterByName.find(this.session, { name });
  }

  async countMembers(name: RecordName): Promise<MemberCounts> {
    return toMemberCounts(await countMembersByStatus(this.session, { name }));
  }

  async getWithCounts(name: RecordName): Promise<ClusterWithCounts | undefined> {
    const rows = await findClusterWithCounts(this.session, { name });
    const [first] = rows;
    if (first === undefined) return undefined;
    const { network, containerManager, revision } = first;
    return { name, network, containerManager, revision, members: toMemberCounts(rows) };
  }

  async listNames(page: PageRequest<RecordName>): Promise<Page<RecordName>> {
    return toPage(await listNamesAfter(this.session, toPageParams(page)), page, row => row.name);
  }

  async listWithCounts(page: PageRequest<RecordName>): Promise<Page<ClusterWithCounts>> {
    const { items, hasMore } = toPage(await listAfter(this.session, toPageParams(page)), page, cluster => cluster);
    const [first, last] = [items[0]?.name, items.at(-1)?.name];
    if (first === undefined || last === undefined) return { items: [], hasMore };
    const rows = Map.groupBy(await countMembersBetween(this.session, { first, last }), row => row.cluster);
    const clusters = items.map(cluster => ({ ...cluster, members: toMemberCounts(rows.get(cluster.name) ?? []) }));
    return { items: clusters, hasMore };
  }

  async lock(name: RecordName): Promise<Cluster | undefined> {
    this.session.lockOrder.assertNext('cluster', name);
    return clusterByName.lock(this.session, { name });
  }

  async findUsing(kind: DriverRecordKind, name: RecordName): Promise<readonly RecordName[]> {
    const rows = await this.db
      .selectFrom('clusters')
      .select('name')
      .where(kind, '=', name)
      .orderBy('name')
      .limit(5)
      .execute();
    return rows.map(row => row.name);
  }

  insertOrLock(cluster: Cluster): Promise<Cluster | undefined> {
    return insertOrLock(
      () => this.lock(cluster.name),
      () => insertIfAbsent(this.db.insertInto('clusters').values(toRow(cluster))),
    );
  }

  async update(cluster: Cluster): Promise<void> {
    await this.db.updateTable('clusters').set(toRow(cluster)).where('name', '=', cluster.name).execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.db.deleteFrom('clusters').where('name', '=', name).execute();
  }
}

/** The default policy of each cluster. The cluster must be locked to change it. */
export class ClusterPolicyRepository extends Repository {
  async get(cluster: RecordName): Promise<PolicyInput> {
    const row = await this.db
      .selectFrom('cluster_policies')
      .select('policy_input_json')
      .where('cluster', '=', cluster)
      .executeTakeFirst();
    return row ? policyInputJson.parse(row.policy_input_json) : {};
  }

  async set(cluster: RecordName, input: PolicyInput): Promise<void> {
    const policy_input_json = policyInputJson.stringify(input);
    await this.db
      .insertInto('cluster_policies')
      .values({ cluster, policy_input_json })
      .onConflict(conflict => conflict.column('cluster').doUpdateSet({ policy_input_json }))
      .execute();
  }

  async remove(cluster: RecordName): Promise<void> {
    await this.db.deleteFrom('cluster_policies').where('cluster', '=', cluster).execute();
  }
}

/** The last published status of each cluster. The default is `ok`. */
export class ClusterStatusRepository extends Repository {
  async get(cluster: RecordName): Promise<ClusterStatus> {
    const row = await this.db
      .selectFrom('cluster_statuses')
      .select('status')
      .where('cluster', '=', cluster)
      .executeTakeFirst();
    return row?.status ?? 'ok';
  }

  async set(cluster: RecordName, status: ClusterStatus): Promise<void> {
    await this.db
      .insertInto('cluster_statuses')
      .values({ cluster, status })
      .onConflict(conflict => conflict.column('cluster').doUpdateSet({ status }))
      .execute();
  }

  async remove(cluster: RecordName): Promise<void> {
    await this.db.deleteFrom('cluster_statuses').where('cluster', '=', cluster).execute();
  }
}
