import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { ClusterOperation, OperationStatus } from '../../../domain/rollout/operation.ts';
import { isOperationOpen, statesWithRecordStatus } from '../../../domain/rollout/operation.ts';
import type { OperationKind, RecordStatus } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { prepareLookup, toPage, toPageParams, withLimit } from '../query-building.ts';
import type { RequestedOperation, StoredOperation } from './operation-rows.ts';
import { OPERATION_COLUMNS, policyInputJson, policyJson, toOperation, toRequestedOperation } from './operation-rows.ts';

export interface OperationFilter {
  readonly cluster?: RecordName | undefined;
  readonly kind?: OperationKind | undefined;
  readonly status?: RecordStatus | undefined;
  /** Operations with this address in their plan, even if another host had the address then. */
  readonly host?: Address | undefined;
}

/** The fields that change, except the status. */
type ProgressField =
  | ('id' | 'finishedAt' | 'blockedSinceMs')
  | ('acknowledgedFailures' | 'acceptedFailures' | 'assessment' | 'ignoredHosts');

/** A literal, so that the planner can use the partial indexes of open operations in a cached plan. */
const SQL_TRUE = sql.lit(1);

const operationById = prepareLookup(({ db }: SqlSession, { id }: { id: string }) =>
  db.selectFrom('operations').select(OPERATION_COLUMNS).where('id', '=', id),
);

const findOpen = prepareQuery(({ db }: SqlSession, { cluster }: { cluster: RecordName }) =>
  db
    .selectFrom('operations')
    .select([...OPERATION_COLUMNS, 'policy_input_json'])
    .where('cluster', '=', cluster)
    .where('is_open', '=', SQL_TRUE),
);

const findLatest = prepareQuery(({ db }: SqlSession, { cluster, kind }: { cluster: RecordName; kind: OperationKind }) =>
  withLimit(
    db
      .selectFrom('operations')
      .select(OPERATION_COLUMNS)
      .where('cluster', '=', cluster)
      .where('kind', '=', kind)
      .where('is_cluster_removed', '=', 0)
      .orderBy('sequence', 'desc'),
    1,
  ),
);

const earliestQuery = ({ db }: SqlSession) =>
  db
    .selectFrom('operations')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .where('is_open', '=', SQL_TRUE)
    .where('due_at', 'is not', null);
const findEarliestDue = prepareQuery(earliestQuery);

const listDue = prepareQuery(({ db }: SqlSession, { now, limit }: { now: number; limit: number }) =>
  withLimit(
    db
      .selectFrom('operations')
      .select('id')
      .where('is_open', '=', SQL_TRUE)
      .where('due_at', '<=', now)
      .orderBy('due_at'),
    limit,
  ),
);

/** Operations on clusters. `operation-hosts.ts` has their progress on each host. */
export class OperationRepository extends Repository {
  async get(id: string): Promise<StoredOperation | undefined> {
    const row = await operationById.find(this.session, { id });
    return row && toOperation(row);
  }

  async lock(id: string): Promise<StoredOperation | undefined> {
    this.session.lockOrder.assertNext('operation', id);
    const row = await operationById.lock(this.session, { id });
    return row && toOperation(row);
  }

  async getOpen(cluster: RecordName): Promise<RequestedOperation | undefined> {
    const [row] = await findOpen(this.session, { cluster });
    return row && toRequestedOperation(row);
  }

  /** Returns the open operation, locked. If the cluster is locked too, no other operation can start. */
  async lockOpen(cluster: RecordName): Promise<StoredOperation | undefined> {
    const [row] = await findOpen(this.session, { cluster });
    const locked = row && (await this.lock(row.id));
    return locked && isOperationOpen(locked) ? locked : undefined;
  }

  async getLatest(cluster: RecordName, kind: OperationKind): Promise<StoredOperation | undefined> {
    const [row] = await findLatest(this.session, { cluster, kind });
    return row && toOperation(row);
  }

  /** Newest first. `after` is the sequence number of the last operation of the previous page. */
  async list(filter: OperationFilter, page: PageRequest<number>): Promise<Page<StoredOperation>> {
    let query = this.db.selectFrom('operations').select(OPERATION_COLUMNS).orderBy('sequence', 'desc');
    if (page.after !== undefined) query = query.where('sequence', '<', page.after);
    if (filter.cluster !== undefined) query = query.where('cluster', '=', filter.cluster);
    if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
    if (filter.status !== undefined) query = query.where('state', 'in', statesWithRecordStatus(filter.status));
    if (filter.host !== undefined) query = query.where('id', 'in', this.#operationsOnHost(filter.host));
    return toPage(await withLimit(query, toPageParams(page).limit).execute(), page, toOperation);
  }

  #operationsOnHost(host: Address) {
    return this.db.selectFrom('operation_hosts').select('operation').where('host', '=', host);
  }

  async insert(
    operation: ClusterOperation,
    { policyInput }: Pick<RequestedOperation, 'policyInput'>,
    dueAt: number,
  ): Promise<void> {
    await this.db
      .insertInto('operations')
      .values({
        id: operation.id,
        kind: operation.kind,
        cluster: operation.cluster,
        version: operation.version,
        host_count: operation.hostCount,
        policy_json: policyJson.stringify(operation.policy),
        policy_input_json: policyInputJson.stringify(policyInput),
        started_by: operation.startedBy,
        started_at: operation.startedAt,
        ...toStatusColumns(operation),
        assessment: operation.assessment,
        finished_at: operation.finishedAt,
        is_open: 1,
        due_at: dueAt,
        trace: operation.trace ?? '',
      })
      .execute();
  }

  async updateStatus(
    operation: OperationStatus & Pick<ClusterOperation, ProgressField>,
    dueAt: number | null,
  ): Promise<void> {
    const isOpen = isOperationOpen(operation);
    await this.db
      .updateTable('operations')
      .set({
        ...toStatusColumns(operation),
        blocked_since: operation.blockedSinceMs,
        acknowledged_failures: operation.acknowledgedFailures,
        accepted_failures: operation.acceptedFailures,
        assessment: operation.assessment,
        ignored_hosts_json: JSON.stringify(operation.ignoredHosts),
        finished_at: operation.finishedAt,
        is_open: isOpen ? 1 : 0,
        due_at: isOpen ? dueAt : null,
      })
      .where('id', '=', operation.id)
      .execute();
  }

  async scheduleReconcile(id: string, dueAt: number): Promise<void> {
    await this.db
      .updateTable('operations')
      .set({ due_at: dueAt })
      .where('id', '=', id)
      .where('is_open', '=', SQL_TRUE)
      .execute();
  }

  async scheduleAllReconciles(now: number): Promise<void> {
    await this.db.updateTable('operations').set({ due_at: now }).where('is_open', '=', SQL_TRUE).execute();
  }

  /** Marks the operations, so that they do not belong to a later cluster with the same name. */
  async markClusterRemoved(cluster: RecordName): Promise<void> {
    await this.db.updateTable('operations').set({ is_cluster_removed: 1 }).where('cluster', '=', cluster).execute();
  }

  async getNextDue(except: readonly string[] = []): Promise<number | null> {
    const [row] =
      except.length === 0
        ? await findEarliestDue(this.session, {})
        : await earliestQuery(this.session).where('id', 'not in', except).execute();
    return row?.at ?? null;
  }

  async listOpenIds(): Promise<readonly string[]> {
    const rows = await this.db.selectFrom('operations').select('id').where('is_open', '=', SQL_TRUE).execute();
    return rows.map(row => row.id);
  }

  async listDueIds(now: number, limit: number): Promise<readonly string[]> {
    return (await listDue(this.session, { now, limit })).map(row => row.id);
  }

  /** Removes operations that ended before `at` and all of their rows. Returns their number. */
  async removeEndedBefore(at: string, limit: number): Promise<number> {
    const ended = this.db
      .selectFrom('operations')
      .select('id')
      .where('finished_at', '<', at)
      .orderBy('finished_at')
      .limit(limit);
    // Checked again, because an operation can have been resumed meanwhile.
    const rows = await this.db
      .deleteFrom('operations')
      .where('id', 'in', ended)
      .where('finished_at', '<', at)
      .returning('id')
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(row => row.id);
    for (const table of ['operation_output', 'operation_hosts', 'idempotency_keys'] as const)
      await this.db.deleteFrom(table).where('operation', 'in', ids).execute();
    return ids.length;
  }
}

const toStatusColumns = ({ state, pause, problem }: OperationStatus) => ({
  state,
  pause_reason: pause,
  problem,
});
