import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';

type ServerLease = { readonly incarnation: string; readonly expiresAt: number };

const renewLease = prepareQuery(({ db }: SqlSession, { incarnation, now, expiresAt }: ServerLease & { now: number }) =>
  db
    .updateTable('servers')
    .set({ lease_expires_at: expiresAt })
    .where('incarnation', '=', incarnation)
    .where('lease_expires_at', '>', now)
    .returning('incarnation'),
);

const listServers = prepareQuery(({ db }: SqlSession) =>
  db.selectFrom('servers').select(['incarnation', 'lease_expires_at', 'partitioned_since']),
);

export interface PeerServers {
  /** When the next lease of another server expires. Null: there are no others. */
  readonly nextExpiry: number | null;
  readonly isAnotherServerConnected: boolean;
  /** The stored state of this server. Null: not partitioned. */
  readonly partitionedSince: number | null;
}

/** One row is the lease for all claims of a server. Times are milliseconds of the store's clock. */
export class ServerRepository extends Repository {
  async register(incarnation: string, expiresAt: number, bootId: string): Promise<void> {
    await this.db.insertInto('servers').values({ incarnation, lease_expires_at: expiresAt, boot_id: bootId }).execute();
  }

  async listBootIds(): Promise<readonly string[]> {
    const rows = await this.db.selectFrom('servers').select('boot_id').where('boot_id', '<>', '').execute();
    return rows.map(row => row.boot_id);
  }

  /** Returns `false` if the lease has expired: another server may have taken over. */
  async renew(incarnation: string, now: number, expiresAt: number): Promise<boolean> {
    return (await renewLease(this.session, { incarnation, now, expiresAt })).length > 0;
  }

  async unregister(incarnation: string): Promise<void> {
    await this.db.deleteFrom('servers').where('incarnation', '=', incarnation).execute();
  }

  /** Only for a store with one server, whose previous process has ended. */
  async unregisterAll(): Promise<void> {
    await this.db.deleteFrom('servers').execute();
  }

  async removeExpired(now: number): Promise<void> {
    await this.db.deleteFrom('servers').where('lease_expires_at', '<=', now).execute();
  }

  async getPeers(incarnation: string, now: number): Promise<PeerServers> {
    const all = await listServers(this.session, {});
    const others = all.filter(row => row.incarnation !== incarnation);
    return {
      nextExpiry: others.length === 0 ? null : Math.min(...others.map(row => row.lease_expires_at)),
      isAnotherServerConnected: others.some(row => row.lease_expires_at > now && row.partitioned_since === null),
      partitionedSince: all.find(row => row.incarnation === incarnation)?.partitioned_since ?? null,
    };
  }

  async areAllPartitioned(now: number): Promise<boolean> {
    const alive = (await listServers(this.session, {})).filter(row => row.lease_expires_at > now);
    return alive.length > 0 && alive.every(row => row.partitioned_since !== null);
  }

  /** Null: the server reaches most hosts. */
  async setPartitioned(incarnation: string, since: number | null): Promise<void> {
    await this.db
      .updateTable('servers')
      .set({ partitioned_since: since })
      .where('incarnation', '=', incarnation)
      .execute();
  }

  /** Called when an administrator confirms that the unresponsive hosts are down. Each server reads its own row. */
  async endPartitions(): Promise<void> {
    this.session.signals.add('due');
    await this.db
      .updateTable('servers')
      .set({ partitioned_since: null })
      .where('partitioned_since', 'is not', null)
      .execute();
  }
}
