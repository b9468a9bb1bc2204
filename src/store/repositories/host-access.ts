import type { Kysely } from 'kysely';
import type { Address } from '../../domain/address.ts';
import type { HostAccess } from '../../domain/host.ts';
import type { Tables } from '../tables.ts';

/** How the service gets into each host. A row goes with its host. */
export class HostAccessRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async get(host: Address): Promise<HostAccess | undefined> {
    const row = await this.#db
      .selectFrom('host_access')
      .selectAll()
      .where('host', '=', host)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      remoteUser: row.remote_user,
      sshPort: row.ssh_port,
      sshPrivKey: row.ssh_priv_key,
      hostKeys: JSON.parse(row.host_keys_json),
    };
  }

  async insert(host: Address, access: HostAccess): Promise<void> {
    await this.#db
      .insertInto('host_access')
      .values({
        host,
        remote_user: access.remoteUser,
        ssh_port: access.sshPort,
        ssh_priv_key: access.sshPrivKey,
        host_keys_json: JSON.stringify(access.hostKeys),
      })
      .execute();
  }
}
