import type { Address } from '../../domain/address.ts';
import type { HostAccess } from '../../domain/host.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';

const accessOf = prepare(({ db }: Session, { host }: { host: Address }) =>
  db
    .selectFrom('host_access')
    .select(['remote_user', 'ssh_port', 'ssh_priv_key', 'host_keys_json', 'transport', 'offered_host_key'])
    .where('host', '=', host),
);

/** How the service gets into each host. A row goes with its host. */
export class HostAccessRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async get(host: Address): Promise<HostAccess | undefined> {
    const [row] = await accessOf(this.#session, { host });
    if (row === undefined) return undefined;
    return {
      remoteUser: row.remote_user,
      sshPort: row.ssh_port,
      sshPrivKey: row.ssh_priv_key,
      hostKeys: JSON.parse(row.host_keys_json),
      transport: row.transport,
      offeredHostKey: row.offered_host_key,
    };
  }

  /** It has shown another key, which waits for a person to accept it; null: it does not any more. */
  async setOffered(host: Address, hostKey: string | null): Promise<void> {
    await this.#session.db
      .updateTable('host_access')
      .set({ offered_host_key: hostKey })
      .where('host', '=', host)
      .execute();
  }

  async insert(host: Address, access: HostAccess): Promise<void> {
    await this.#session.db
      .insertInto('host_access')
      .values({
        host,
        remote_user: access.remoteUser,
        ssh_port: access.sshPort,
        ssh_priv_key: access.sshPrivKey,
        host_keys_json: JSON.stringify(access.hostKeys),
        transport: access.transport,
        offered_host_key: access.offeredHostKey,
      })
      .execute();
  }

  async setCredentials(
    host: Address,
    { remoteUser, sshPrivKey, transport }: Pick<HostAccess, 'remoteUser' | 'sshPrivKey' | 'transport'>,
  ): Promise<void> {
    await this.#session.db
      .updateTable('host_access')
      .set({ remote_user: remoteUser, ssh_priv_key: sshPrivKey, transport })
      .where('host', '=', host)
      .execute();
  }

  /** From now on the host may show this key and no other. */
  async pinHostKey(host: Address, hostKey: string): Promise<void> {
    await this.#session.db
      .updateTable('host_access')
      .set({ host_keys_json: JSON.stringify([hostKey]), offered_host_key: null })
      .where('host', '=', host)
      .execute();
  }
}
