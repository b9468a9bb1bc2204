import type { Address } from '../../domain/address.ts';
import type { HostAccess } from '../../domain/host.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';

const accessOf = prepare(({ db }: Session, { host }: { host: Address }) =>
  db
    .selectFrom('host_access')
    .select(['remote_user', 'ssh_port', 'ssh_priv_key', 'host_keys_json', 'offered_host_key'])
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
      offeredHostKey: row.offered_host_key,
    };
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
        offered_host_key: access.offeredHostKey,
      })
      .execute();
  }
}
