import type { Address } from '../../../domain/addresses/address.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { OperationHost } from '../../../domain/rollout/operation-host.ts';
import { IN_FLIGHT_PHASES } from '../../../domain/rollout/operation-host.ts';
import type { AbortReason, HostPhase } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { forUpdate, toChunks, toPage, toPageParams, withLimit } from '../query-building.ts';
import { OPERATION_HOST_COLUMNS, toOperationHost, toOperationHostColumns } from './operation-rows.ts';

type Key = { readonly operation: string; readonly host: Address };

const selectHost = ({ db }: SqlSession, { operation, host }: Key) =>
  db
    .selectFrom('operation_hosts')
    .select(OPERATION_HOST_COLUMNS)
    .where('operation', '=', operation)
    .where('host', '=', host);
const findHost = prepareQuery(selectHost);
const lockHost = prepareQuery((session: SqlSession, key: Key) => forUpdate(session.engine, selectHost(session, key)));

const updateHost = prepareQuery(
  ({ db }: SqlSession, { operation, host, ...changes }: Key & ReturnType<typeof toOperationHostColumns>) =>
    db.updateTable('operation_hosts').set(changes).where('operation', '=', operation).where('host', '=', host),
);

export type PhaseCounts = Readonly<Partial<Record<HostPhase, number>>>;

/** The hosts in the plan of each operation, with their progress. */
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
    const [row] = await findHost(this.session, { operation, host });
    return row && toOperationHost(row);
  }

  /** Must be the last lock of a transaction. */
  async lock(operation: string, host: Address): Promise<OperationHost | undefined> {
    // A transaction that locks several hosts has locked their operation, so they need no order.
    this.session.lockOrder.assertNext('operation_host', '');
    const [row] = await lockHost(this.session, { operation, host });
    return row && toOperationHost(row);
  }

  /** Returns the hosts that are in the plan. */
  async getMany(operation: string, hosts: readonly Address[]): Promise<readonly OperationHost[]> {
    return this.#select(operation, hosts, { isLocked: false });
  }

  async lockAll(operation: string, hosts: readonly Address[]): Promise<readonly OperationHost[]> {
    this.session.lockOrder.assertNext('operation_host', '');
    return this.#select(operation, hosts, { isLocked: true });
  }

  async #select(
    operation: string,
    hosts: readonly Address[],
    { isLocked }: { readonly isLocked: boolean },
  ): Promise<readonly OperationHost[]> {
    const found: OperationHost[] = [];
    for (const chunk of toChunks(hosts)) {
      const query = this.db
        .selectFrom('operation_hosts')
        .select(OPERATION_HOST_COLUMNS)
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .orderBy('position');
      const rows = await (isLocked ? forUpdate(this.session.engine, query) : query).execute();
      found.push(...rows.map(toOperationHost));
    }
    return found;
  }

  async update(operation: string, operationHost: OperationHost): Promise<void> {
    await updateHost(this.session, {
      operation,
      host: operationHost.host,
      ...toOperationHostColumns(operationHost),
    });
  }

  /**
   * Hosts with the same new values are written with one statement. That is the common case for hosts that
   * have not started.
   */
  async updateAll(operation: string, operationHosts: readonly OperationHost[]): Promise<void> {
    for (const chunk of toChunks(operationHosts)) await this.#updateChunk(operation, chunk);
  }

  async #updateChunk(operation: string, operationHosts: readonly OperationHost[]): Promise<void> {
    for (const group of Map.groupBy(operationHosts, operationHost =>
      JSON.stringify(toOperationHostColumns(operationHost)),
    ).values()) {
      const [first] = group;
      if (first)
        await this.db
          .updateTable('operation_hosts')
          .set(toOperationHostColumns(first))
          .where('operation', '=', operation)
          .where(
            'host',
            'in',
            group.map(({ host }) => host),
          )
          .execute();
    }
  }

  /** In the order of the plan. `after` is the position of the last host of the previous page. */
  async list(operation: string, page: PageRequest<number> = {}): Promise<Page<OperationHost>> {
    let query = this.db
      .selectFrom('operation_hosts')
      .select(OPERATION_HOST_COLUMNS)
      .where('operation', '=', operation)
      .orderBy('position');
    if (page.after !== undefined) query = query.where('position', '>', page.after);
    return toPage(await withLimit(query, toPageParams(page).limit).execute(), page, toOperationHost);
  }

  /** In the order of the plan. */
  async listByPhase(operation: string, phases: readonly HostPhase[]): Promise<readonly OperationHost[]> {
    const rows = await this.db
      .selectFrom('operation_hosts')
      .select(OPERATION_HOST_COLUMNS)
      .where('operation', '=', operation)
      .where('phase', 'in', phases)
      .orderBy('position')
      .execute();
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

  /**
   * Permits these hosts to reboot until `untilMs`. Changes no other column, because the tasks are running.
   */
  async setCleared(operation: string, hosts: readonly Address[], untilMs: number): Promise<void> {
    for (const chunk of toChunks(hosts))
      await this.db
        .updateTable('operation_hosts')
        .set({ cleared_until: untilMs })
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .execute();
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

  async setControlPlane(operation: string, hosts: readonly Address[]): Promise<void> {
    for (const chunk of toChunks(hosts))
      await this.db
        .updateTable('operation_hosts')
        .set({ is_control_plane: 1 })
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .execute();
  }

  async countByPhase(operation: string): Promise<PhaseCounts> {
    const rows = await this.db
      .selectFrom('operation_hosts')
      .select(['phase', ({ fn }) => fn.countAll<number>().as('hosts')])
      .where('operation', '=', operation)
      .groupBy('phase')
      .execute();
    return Object.fromEntries(rows.map(({ phase, hosts }) => [phase, hosts]));
  }
}
