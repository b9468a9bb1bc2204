import type { Address } from '../../../domain/addresses/address.ts';
import type { Labels } from '../../../domain/hosts/host.ts';
import type { InventoryHost } from '../../../domain/hosts/inventory.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { toChunks, toPage } from '../query-building.ts';
import type { HostFilter, HostParams } from './host-queries.ts';
import { hostPageQuery, toHostParams, withLabels } from './host-queries.ts';

const selectInventoryRows = ({ db }: SqlSession, params: HostParams) =>
  hostPageQuery(db.selectFrom('hosts').select(['address', 'status', 'os', 'hostname', 'cluster']), params);
const listInventoryRows = prepareQuery(selectInventoryRows);

type InventoryAccess = Pick<InventoryHost, 'remoteUser' | 'sshPort'>;

/** The hosts as exported to other tools. */
export class InventoryRepository extends Repository {
  /** Ordered by the numeric value of the address. */
  async list(filter: HostFilter, page: PageRequest<Address>): Promise<Page<InventoryHost>> {
    const { labels = [] } = filter;
    const params = toHostParams(filter, page);
    const found = await (labels.length === 0
      ? listInventoryRows(this.session, params)
      : withLabels(this.session, selectInventoryRows(this.session, params), labels).execute());
    const { items, hasMore } = toPage(found, page, row => row);
    const addresses = items.map(row => row.address);
    const [accessByAddress, labelsByAddress] = [await this.#readAccess(addresses), await this.#readLabels(addresses)];
    const hosts = items.flatMap(row => {
      const access = accessByAddress.get(row.address);
      return access === undefined ? [] : [{ ...row, ...access, labels: labelsByAddress.get(row.address) ?? {} }];
    });
    return { items: hosts, hasMore };
  }

  async #readAccess(addresses: readonly Address[]): Promise<ReadonlyMap<Address, InventoryAccess>> {
    const found = new Map<Address, InventoryAccess>();
    for (const chunk of toChunks(addresses)) {
      const rows = await this.db
        .selectFrom('host_access')
        .select(['host', 'remote_user', 'ssh_port'])
        .where('host', 'in', chunk)
        .execute();
      for (const row of rows) found.set(row.host, { remoteUser: row.remote_user, sshPort: row.ssh_port });
    }
    return found;
  }

  async #readLabels(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Labels>> {
    const found = new Map<Address, [string, string][]>();
    for (const chunk of toChunks(addresses)) {
      const rows = await this.db
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
