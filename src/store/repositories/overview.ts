import { sql } from 'kysely';
import type { Overview } from '../../domain/fleet-stats.ts';
import { prepare } from '../prepare.ts';
import type { SqlSession } from '../sql-session.ts';
import { CLUSTER_COLUMNS, toCluster, toCounts } from './clusters.ts';

type Nothing = Record<never, never>;

/** Of all hosts, those in no cluster too. Answered from the index `hosts_by_cluster_status` alone, in its order. */
export const hostsByCluster = prepare(({ db }: SqlSession, _: Nothing) =>
  db
    .selectFrom('hosts')
    .groupBy(['cluster', 'status', 'in_maintenance'])
    .select(['cluster', 'status', 'in_maintenance'])
    .select(({ fn }) => fn.countAll<number>().as('members')),
);

const allClusters = prepare(({ db }: SqlSession, _: Nothing) =>
  db.selectFrom('clusters').select(CLUSTER_COLUMNS).orderBy('name'),
);

const openOperations = prepare(({ db }: SqlSession, _: Nothing) =>
  db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('operations'))
    .where('is_open', '=', sql.lit(1)),
);

/** What there is, counted: as many queries however many clusters there are. */
export class OverviewRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async read(): Promise<Overview> {
    const counted = await hostsByCluster(this.#session, {});
    const ofCluster = Map.groupBy(counted, row => row.cluster);
    const clusters = await allClusters(this.#session, {});
    const [open] = await openOperations(this.#session, {});
    const hosts: { -readonly [Status in keyof Overview['hosts']]: number } = {};
    for (const { status, members } of counted) hosts[status] = (hosts[status] ?? 0) + members;
    return {
      hosts,
      inMaintenance: counted
        .filter(row => row.in_maintenance === 1)
        .reduce((sum, row) => sum + row.members, 0),
      clusters: clusters.map(row => ({
        ...toCluster(row),
        members: toCounts(ofCluster.get(row.name) ?? []),
      })),
      openOperations: open?.operations ?? 0,
    };
  }
}
