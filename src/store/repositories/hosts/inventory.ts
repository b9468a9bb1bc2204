import type { Address } from '../../../domain/addresses/address.ts';
import type { Labels } from '../../../domain/hosts/host.ts';
import type { InventoryHost } from '../../../domain/hosts/inventory.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { chunksOf } from '../queries/chunks-of.ts';
import { toListed } from '../queries/page-query.ts';
import type { HostFilter, HostParams } from './host-filter.ts';
import { carrying, hostParams, ofPage } from './host-filter.ts';

const rows = ({ db }: SqlSession, params: HostParams) =>
  ofPage(db.selectFrom('hosts').select(['address', 'status', 'os', 'hostname', 'cluster']), params);
const rowsOf = prepare(rows);

type Access = Pick<InventoryHost, 'remoteUser' | 'sshPort'>;

/** What other tools are told of hosts. */
export class InventoryRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** By numeric value of the address. */
  async hosts(filter: HostFilter, page: PageRequest<Address>): Promise<Page<InventoryHost>> {
    const { labels = [] } = filter;
    const params = hostParams(filter, page);
    const found = await (labels.length === 0
      ? rowsOf(this.#session, params)
      : carrying(this.#session, rows(this.#session, params), labels).execute());
    const { items, hasMore } = toListed(found, page, row => row);
    const addresses = items.map(row => row.address);
    const [accessOf, labelsOf] = [await this.#accessOf(addresses), await this.#labelsOf(addresses)];
    const hosts = items.flatMap(row => {
      const access = accessOf.get(row.address);
      return access === undefined ? [] : [{ ...row, ...access, labels: labelsOf.get(row.address) ?? {} }];
    });
    return { items: hosts, hasMore };
  }

  async #accessOf(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Access>> {
    const found = new Map<Address, Access>();
    for (const chunk of chunksOf(addresses)) {
      const rows = await this.#session.db
        .selectFrom('host_access')
        .select(['host', 'remote_user', 'ssh_port'])
        .where('host', 'in', chunk)
        .execute();
      for (const row of rows) found.set(row.host, { remoteUser: row.remote_user, sshPort: row.ssh_port });
    }
    return found;
  }

  async #labelsOf(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Labels>> {
    const found = new Map<Address, [string, string][]>();
    for (const chunk of chunksOf(addresses)) {
      const rows = await this.#session.db
        .selectFrom('host_labels')
        .select(['host', 'key', 'value'])
        .where('host', 'in', chunk)
        .orderBy('host')
        .orderBy('key')
        .execute();
      for (const { host, key, value } of rows) {
        const labels = found.get(host);
        if (labels) labels.push([key, value]);
        else found.set(host, [[key, value]]);
      }
    }
    return new Map([...found].map(([host, labels]) => [host, Object.fromEntries(labels)]));
  }
}
