import type { RecordName } from '../../../domain/record-name.ts';
import type { ClusterStatus } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';

/** The status of each cluster that was told last; a cluster that is not here was `ok`. */
export class ClusterStatusRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(cluster: RecordName): Promise<ClusterStatus> {
    const row = await this.#session.db
      .selectFrom('cluster_statuses')
      .select('status')
      .where('cluster', '=', cluster)
      .executeTakeFirst();
    return row?.status ?? 'ok';
  }

  async set(cluster: RecordName, status: ClusterStatus): Promise<void> {
    await this.#session.db
      .insertInto('cluster_statuses')
      .values({ cluster, status })
      .onConflict(conflict => conflict.column('cluster').doUpdateSet({ status }))
      .execute();
  }

  async remove(cluster: RecordName): Promise<void> {
    await this.#session.db.deleteFrom('cluster_statuses').where('cluster', '=', cluster).execute();
  }
}
