import type { Kysely, Selectable } from 'kysely';
import type { Cluster, ClusterWithCounts, MemberCounts } from '../../domain/cluster.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { Tables } from '../tables.ts';
import type { Locking } from '../traits.ts';
import { insertOrLock } from './insert-or-lock.ts';
import { wasInserted } from './inserted.ts';
import { readPage } from './read-page.ts';

const toCluster = (row: Selectable<Tables['clusters']>): Cluster => ({
  name: row.name,
  network: row.network,
  containerManager: row.container_manager,
  revision: row.revision,
});

const toRow = (cluster: Cluster): Selectable<Tables['clusters']> => ({
  name: cluster.name,
  network: cluster.network,
  container_manager: cluster.containerManager,
  revision: cluster.revision,
});

export class ClusterRepository {
  readonly #db: Kysely<Tables>;
  readonly #locking: Locking;

  constructor(db: Kysely<Tables>, locking: Locking) {
    this.#db = db;
    this.#locking = locking;
  }

  async get(name: RecordName): Promise<Cluster | undefined> {
    const row = await this.#db.selectFrom('clusters').selectAll().where('name', '=', name).executeTakeFirst();
    return row && toCluster(row);
  }

  async memberCounts(name: RecordName): Promise<MemberCounts> {
    const rows = await this.#db
      .selectFrom('hosts')
      .where('cluster', '=', name)
      .groupBy('status')
      .select('status')
      .select(({ fn }) => fn.countAll<number>().as('members'))
      .execute();
    return Object.fromEntries(rows.map(({ status, members }) => [status, Number(members)]));
  }

  async getWithCounts(name: RecordName): Promise<ClusterWithCounts | undefined> {
    const cluster = await this.get(name);
    return cluster && { ...cluster, members: await this.memberCounts(name) };
  }

  async names(page: Page<RecordName>): Promise<Listed<RecordName>> {
    let query = this.#db.selectFrom('clusters').select('name').orderBy('name');
    if (page.after !== undefined) query = query.where('name', '>', page.after);
    return readPage(query, page.limit, row => row.name);
  }

  async lock(name: RecordName): Promise<Cluster | undefined> {
    this.#locking.order.next('cluster', name);
    const row = await this.#db
      .selectFrom('clusters')
      .selectAll()
      .where('name', '=', name)
      .$if(this.#locking.hasRowLocks, query => query.forUpdate())
      .executeTakeFirst();
    return row && toCluster(row);
  }

  /** Some clusters that use a network or container manager; empty when none does. */
  async someUsing(kind: DriverRecordKind, name: RecordName): Promise<readonly RecordName[]> {
    const rows = await this.#db
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
    return wasInserted(
      await this.#db
        .insertInto('clusters')
        .values(toRow(cluster))
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst(),
    );
  }

  async update(cluster: Cluster): Promise<void> {
    await this.#db.updateTable('clusters').set(toRow(cluster)).where('name', '=', cluster.name).execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.#db.deleteFrom('clusters').where('name', '=', name).execute();
  }
}
