import type { Insertable, Selectable } from 'kysely';
import type { Address } from '../../domain/address.ts';
import { addressSortKey, compareAddresses } from '../../domain/address.ts';
import type { Host, HostLine } from '../../domain/host.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';
import type { Tables } from '../tables.ts';
import { chunksOf } from './chunks-of.ts';
import { forUpdate } from './for-update.ts';
import { insertOrLock } from './insert-or-lock.ts';
import type { PageParams } from './page-query.ts';
import { limited, pageParams, toListed } from './page-query.ts';

export interface HostFilter {
  readonly status?: HostStatus | undefined;
  readonly os?: string | undefined;
  /** `null`: hosts that are in none. */
  readonly cluster?: RecordName | null | undefined;
  /** A part of the address. */
  readonly addressPart?: string | undefined;
}

type Row = Selectable<Tables['hosts']>;

const COLUMNS = [
  'address',
  'enrolment',
  'status',
  'reason',
  'os',
  'cpus',
  'memory_kib',
  'space_kib',
  'last_check',
  'source',
  'cluster',
  'hostname',
  'boot_id',
  'os_driver',
  'registered_with',
  'in_maintenance',
  'maintenance_reason',
] as const satisfies readonly (keyof Row)[];

const toHost = (row: Pick<Row, (typeof COLUMNS)[number]>): Host => ({
  address: row.address,
  enrolment: row.enrolment,
  status: row.status,
  reason: row.reason,
  os: row.os,
  cpus: row.cpus,
  memoryKib: row.memory_kib,
  spaceKib: row.space_kib,
  lastCheck: row.last_check,
  source: row.source,
  cluster: row.cluster,
  hostname: row.hostname,
  bootId: row.boot_id,
  osDriver: row.os_driver,
  registeredWith: row.registered_with,
  maintenance: row.in_maintenance ? row.maintenance_reason : null,
});

const toRow = (host: Host): Insertable<Tables['hosts']> => ({
  address: host.address,
  sort_key: addressSortKey(host.address),
  enrolment: host.enrolment,
  status: host.status,
  reason: host.reason,
  os: host.os,
  cpus: host.cpus,
  memory_kib: host.memoryKib,
  space_kib: host.spaceKib,
  last_check: host.lastCheck,
  source: host.source,
  cluster: host.cluster,
  hostname: host.hostname,
  boot_id: host.bootId,
  os_driver: host.osDriver,
  registered_with: host.registeredWith,
  in_maintenance: host.maintenance === null ? 0 : 1,
  maintenance_reason: host.maintenance ?? '',
});

const likePattern = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`.toLowerCase();

const hostAt = prepare(({ db }: Session, { address }: { address: Address }) =>
  db.selectFrom('hosts').select(COLUMNS).where('address', '=', address),
);

const lineAt = prepare(({ db }: Session, { address }: { address: Address }) =>
  db.selectFrom('hosts').select(['listed_json', 'source']).where('address', '=', address),
);

/** `after` is the sort key of the last host of the page before. */
type KeyedPage = PageParams<string>;

const pageOf = ({ limit, after }: Page<Address>): KeyedPage =>
  pageParams({ limit, after: after === undefined ? undefined : addressSortKey(after) });

const linesOf = prepare(
  (
    { db }: Session,
    {
      pattern,
      after,
      limit,
      status,
      os,
      cluster,
    }: KeyedPage & Omit<HostFilter, 'addressPart'> & { pattern: string | undefined },
  ) => {
    let query = limited(db.selectFrom('hosts').select('listed_json').orderBy('sort_key'), limit);
    if (status !== undefined) query = query.where('status', '=', status);
    if (os !== undefined) query = query.where('os', '=', os);
    if (cluster === null) query = query.where('cluster', 'is', null);
    else if (cluster !== undefined) query = query.where('cluster', '=', cluster);
    if (pattern !== undefined) {
      query = query.where(({ eb, fn, val }) => eb(fn('lower', ['address']), 'like', val(pattern)));
    }
    return after === undefined ? query : query.where('sort_key', '>', after);
  },
);

const membersOf = prepare(
  ({ db }: Session, { cluster, after, limit }: KeyedPage & { cluster: RecordName }) => {
    const members = db
      .selectFrom('hosts')
      .select('address')
      .where('cluster', '=', cluster)
      .orderBy('sort_key');
    const query = limited(members, limit);
    return after === undefined ? query : query.where('sort_key', '>', after);
  },
);

export class HostRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async get(address: Address): Promise<Host | undefined> {
    const [row] = await hostAt(this.#session, { address });
    return row && toHost(row);
  }

  /** What a list tells of a host, and what only the host's own record does. */
  async line(address: Address): Promise<{ line: HostLine; source: string } | undefined> {
    const [row] = await lineAt(this.#session, { address });
    return row && { line: row.listed_json, source: row.source };
  }

  /** By numeric value of the address. */
  async list({ addressPart, ...filter }: HostFilter, page: Page<Address>): Promise<Listed<HostLine>> {
    const pattern = addressPart === undefined ? undefined : likePattern(addressPart);
    const rows = await linesOf(this.#session, { ...filter, pattern, ...pageOf(page) });
    return toListed(rows, page, row => row.listed_json);
  }

  async memberAddresses(cluster: RecordName, page: Page<Address> = {}): Promise<Listed<Address>> {
    const rows = await membersOf(this.#session, { cluster, ...pageOf(page) });
    return toListed(rows, page, row => row.address);
  }

  async lock(address: Address): Promise<Host | undefined> {
    const [host] = await this.lockAll([address]);
    return host;
  }

  /** Those of them that exist, by numeric value of the address. */
  async lockAll(addresses: readonly Address[]): Promise<readonly Host[]> {
    const sorted = [...addresses].sort(compareAddresses);
    const { db, engine, order } = this.#session;
    for (const address of sorted) order.next('host', addressSortKey(address));
    const found: Host[] = [];
    for (const chunk of chunksOf(sorted)) {
      const query = db.selectFrom('hosts').select(COLUMNS).where('address', 'in', chunk).orderBy('sort_key');
      found.push(...(await forUpdate(engine, query).execute()).map(toHost));
    }
    return found;
  }

  /** The host at that address that is there, locked; `undefined` when this one was made. */
  insertOrLock(host: Host): Promise<Host | undefined> {
    return insertOrLock(
      () => this.lock(host.address),
      () => this.#insert(host),
    );
  }

  async #insert(host: Host): Promise<boolean> {
    const inserted = await this.#session.db
      .insertInto('hosts')
      .values(toRow(host))
      .onConflict(conflict => conflict.doNothing())
      .returning('address')
      .execute();
    return inserted.length > 0;
  }

  async update(host: Host): Promise<void> {
    await this.#session.db
      .updateTable('hosts')
      .set(toRow(host))
      .where('address', '=', host.address)
      .execute();
  }

  async setCluster(addresses: readonly Address[], cluster: RecordName | null): Promise<void> {
    for (const chunk of chunksOf(addresses)) {
      await this.#session.db.updateTable('hosts').set({ cluster }).where('address', 'in', chunk).execute();
    }
  }

  /** Which container manager has them as nodes. */
  async setRegisteredWith(addresses: readonly Address[], registeredWith: RecordName | null): Promise<void> {
    for (const chunk of chunksOf(addresses)) {
      await this.#session.db
        .updateTable('hosts')
        .set({ registered_with: registeredWith })
        .where('address', 'in', chunk)
        .execute();
    }
  }

  async setStatus(addresses: readonly Address[], status: HostStatus, reason = ''): Promise<void> {
    for (const chunk of chunksOf(addresses)) {
      await this.#session.db
        .updateTable('hosts')
        .set({ status, reason })
        .where('address', 'in', chunk)
        .execute();
    }
  }

  /** With its credentials. */
  async remove(address: Address): Promise<void> {
    await this.#session.db.deleteFrom('host_access').where('host', '=', address).execute();
    await this.#session.db.deleteFrom('hosts').where('address', '=', address).execute();
  }
}
