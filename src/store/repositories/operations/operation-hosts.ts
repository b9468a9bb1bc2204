import type { Updateable } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { OperationHost } from '../../../domain/rollout/operation-host.ts';
import { IN_FLIGHT_PHASES } from '../../../domain/rollout/operation-host.ts';
import type { AbortReason, HostPhase } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import {
  forUpdate,
  prepareLookup,
  queryInChunks,
  toChunks,
  toPage,
  toPageParams,
  withLimit,
} from '../query-building.ts';
import { OPERATION_HOST_COLUMNS, toOperationHost, toOperationHostColumns } from './operation-rows.ts';

type Key = { readonly operation: string; readonly host: Address };

const selectHosts = ({ db }: SqlSession, operation: string) =>
  db.selectFrom('operation_hosts').select(OPERATION_HOST_COLUMNS).where('operation', '=', operation);

const hostByAddress = prepareLookup((session: SqlSession, { operation, host }: Key) =>
  selectHosts(session, operation).where('host', '=', host),
);

const updateHost = prepareQuery(
  ({ db }: SqlSession, { operation, host, ...changes }: Key & ReturnType<typeof toOperationHostColumns>) =>
    db.updateTable('operation_hosts').set(changes).where('operation', '=', operation).where('host', '=', host),
);

/** `queued`: in `staging`, staged, responding and waiting for a slot. These hosts are not counted in `staging`. */
export type StateCounts = Readonly<Partial<Record<HostPhase | 'queued', number>>>;

export class OperationHostRepository extends Repository {
  async insert(
    operation: string,
    hosts: readonly Pick<OperationHost, 'host' | 'enrolment' | 'position'>[],
  ): Promise<void> {
    for (const chunk of toChunks(hosts))
      await this.db
        .insertInto('operation_hosts')
        .values(chunk.map(({ host, enrolment, position }) => ({ operation, host, enrolment, position })))
        .execute();
  }

  async get(operation: string, host: Address): Promise<OperationHost | undefined> {
    const row = await hostByAddress.find(this.session, { operation, host });
    return row && toOperationHost(row);
  }

  /** Must be the last lock of a transaction. */
  async lock(operation: string, host: Address): Promise<OperationHost | undefined> {
    // A transaction that locks several hosts has locked their operation, so they need no order.
    this.session.lockOrder.assertNext('operation_host', '');
    const row = await hostByAddress.lock(this.session, { operation, host });
    return row && toOperationHost(row);
  }

  async getMany(operation: string, hosts: readonly Address[]): Promise<readonly OperationHost[]> {
    const rows = await queryInChunks(hosts, chunk => this.#selectChunk(operation, chunk).execute());
    return rows.map(toOperationHost);
  }

  async lockAll(operation: string, hosts: readonly Address[]): Promise<readonly OperationHost[]> {
    const { engine, lockOrder } = this.session;
    lockOrder.assertNext('operation_host', '');
    const rows = await queryInChunks(hosts, chunk => forUpdate(engine, this.#selectChunk(operation, chunk)).execute());
    return rows.map(toOperationHost);
  }

  #selectChunk(operation: string, hosts: readonly Address[]) {
    return selectHosts(this.session, operation).where('host', 'in', hosts).orderBy('position');
  }

  async update(operation: string, operationHost: OperationHost): Promise<void> {
    const { host } = operationHost;
    await updateHost(this.session, { operation, host, ...toOperationHostColumns(operationHost) });
  }

  /** Hosts with the same new values, as most that have not started, share one statement. */
  async updateAll(operation: string, operationHosts: readonly OperationHost[]): Promise<void> {
    const groups = Map.groupBy(operationHosts, operationHost => JSON.stringify(toOperationHostColumns(operationHost)));
    for (const group of groups.values()) {
      const [first] = group;
      const hosts = group.map(({ host }) => host);
      if (first) await this.#updateColumns(operation, hosts, toOperationHostColumns(first));
    }
  }

  async #updateColumns(
    operation: string,
    hosts: readonly Address[],
    columns: Updateable<Tables['operation_hosts']>,
  ): Promise<void> {
    for (const chunk of toChunks(hosts))
      await this.db
        .updateTable('operation_hosts')
        .set(columns)
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .execute();
  }

  /** In the order of the plan. `after` is the position of the last host of the previous page. */
  async list(operation: string, page: PageRequest<number> = {}): Promise<Page<OperationHost>> {
    let query = selectHosts(this.session, operation).orderBy('position');
    if (page.after !== undefined) query = query.where('position', '>', page.after);
    return toPage(await withLimit(query, toPageParams(page).limit).execute(), page, toOperationHost);
  }

  /** In the order of the plan. */
  async listByPhase(operation: string, phases: readonly HostPhase[]): Promise<readonly OperationHost[]> {
    const rows = await selectHosts(this.session, operation).where('phase', 'in', phases).orderBy('position').execute();
    return rows.map(toOperationHost);
  }

  /** Asks the tasks of these hosts to abort. Changes no other column, because the tasks are running. */
  async setAbortReason(operation: string, hosts: readonly Address[], reason: AbortReason): Promise<void> {
    for (const chunk of toChunks(hosts))
      await this.db
        .updateTable('operation_hosts')
        .set({ abort_reason: reason })
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .where('phase', 'in', IN_FLIGHT_PHASES)
        .execute();
  }

  /** Permits these hosts to reboot until `untilMs`. Changes no other column, because the tasks are running. */
  setCleared(operation: string, hosts: readonly Address[], untilMs: number): Promise<void> {
    return this.#updateColumns(operation, hosts, { cleared_until: untilMs });
  }

  setControlPlane(operation: string, hosts: readonly Address[]): Promise<void> {
    return this.#updateColumns(operation, hosts, { is_control_plane: 1 });
  }

  /** Clears the marks of hosts that prevented the start of the operation. */
  async clearBlocked(operation: string): Promise<void> {
    await this.db
      .updateTable('operation_hosts')
      .set({ problem: '', is_unreachable: 0 })
      .where('operation', '=', operation)
      .where('phase', '=', 'pending')
      .where('problem', '<>', '')
      .execute();
  }

  async countByState(operation: string): Promise<StateCounts> {
    const rows = await this.db
      .selectFrom('operation_hosts')
      .select(['phase', 'is_staged', 'is_unreachable', ({ fn }) => fn.countAll<number>().as('hosts')])
      .where('operation', '=', operation)
      .groupBy(['phase', 'is_staged', 'is_unreachable'])
      .execute();
    const counts: Partial<Record<HostPhase | 'queued', number>> = {};
    for (const { phase, is_staged, is_unreachable, hosts } of rows) {
      const state = is_staged === 1 && is_unreachable === 0 ? 'queued' : phase;
      counts[state] = (counts[state] ?? 0) + hosts;
    }
    return counts;
  }
}
