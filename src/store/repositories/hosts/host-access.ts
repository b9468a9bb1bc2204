import type { Address } from '../../../domain/addresses/address.ts';
import type { Host, HostAccess } from '../../../domain/hosts/host.ts';
import type { Sealed } from '../../../domain/secret.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';

type EnrolledHost = Pick<Host, 'address' | 'enrolment'>;

interface NewCredentials extends Pick<HostAccess, 'remoteUser' | 'transport'> {
  readonly sshPrivKey: Sealed;
}

const COLUMNS = [
  'host_access.remote_user as remoteUser',
  'host_access.ssh_port as sshPort',
  'host_access.ssh_priv_key',
  'host_access.host_keys_json',
  'host_access.transport',
  'host_access.pending_host_key as pendingHostKey',
  'host_access.enrolled_by_token as enrolledByToken',
] as const;

const findAccess = prepareQuery(({ db }: SqlSession, { host }: { host: Address }) =>
  db.selectFrom('host_access').select(COLUMNS).where('host', '=', host),
);

const findAccessForEnrolment = prepareQuery(({ db }: SqlSession, { address, enrolment }: EnrolledHost) =>
  db
    .selectFrom('host_access')
    .innerJoin('hosts', 'hosts.address', 'host_access.host')
    .select(COLUMNS)
    .where('host_access.host', '=', address)
    .where('hosts.enrolment', '=', enrolment),
);

type AccessRow = Awaited<ReturnType<typeof findAccess>>[number];

const toAccess = ({ ssh_priv_key, host_keys_json, ...access }: AccessRow): HostAccess => ({
  ...access,
  sshPrivKey: ssh_priv_key === '' ? null : ssh_priv_key,
  hostKeys: JSON.parse(host_keys_json),
});

/** The SSH access data of each host. A row is removed with its host. */
export class HostAccessRepository extends Repository {
  async get(host: Address): Promise<HostAccess | undefined> {
    const [row] = await findAccess(this.session, { host });
    return row && toAccess(row);
  }

  /** Returns `undefined` for another enrolment. A single query, because every connection needs it. */
  async getForEnrolment(host: EnrolledHost): Promise<HostAccess | undefined> {
    const { address, enrolment } = host;
    const [row] = await findAccessForEnrolment(this.session, { address, enrolment });
    return row && toAccess(row);
  }

  /** The host presented an unknown key, which an administrator can accept. Null: no longer. */
  async setPendingHostKey(host: Address, hostKey: string | null): Promise<void> {
    await this.db.updateTable('host_access').set({ pending_host_key: hostKey }).where('host', '=', host).execute();
  }

  async insert(host: Address, access: HostAccess): Promise<void> {
    await this.db
      .insertInto('host_access')
      .values({
        host,
        remote_user: access.remoteUser,
        ssh_port: access.sshPort,
        ssh_priv_key: access.sshPrivKey ?? '',
        host_keys_json: JSON.stringify(access.hostKeys),
        transport: access.transport,
        pending_host_key: access.pendingHostKey,
        enrolled_by_token: access.enrolledByToken,
      })
      .execute();
  }

  async setCredentials(host: Address, { remoteUser, sshPrivKey, transport }: NewCredentials): Promise<void> {
    await this.db
      .updateTable('host_access')
      .set({ remote_user: remoteUser, ssh_priv_key: sshPrivKey, transport })
      .where('host', '=', host)
      .execute();
  }

  /** The host must present this key from now on. */
  async pinHostKey(host: Address, hostKey: string): Promise<void> {
    await this.db
      .updateTable('host_access')
      .set({ host_keys_json: JSON.stringify([hostKey]), pending_host_key: null })
      .where('host', '=', host)
      .execute();
  }
}
