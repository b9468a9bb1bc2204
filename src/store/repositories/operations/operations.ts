import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { ClusterOperation, OperationStatus } from '../../../domain/rollout/operation.ts';
import { isOperationOpen, statesWithRecordStatus } from '../../../domain/rollout/operation.ts';
import type { PolicyInput } from '../../../domain/rollout/policy.ts';
import type { OperationKind, RecordStatus } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import { forUpdate, toPage, toPageParams, withLimit } from '../query-building.ts';
import type { StoredOperation } from './operation-rows.ts';
import { OPERATION_COLUMNS, policyInputJson, policyJson, toOperation } from './operation-rows.ts';

export interface OperationFilter {
  readonly cluster?: RecordName | undefined;
  readonly kind?: OperationKind | undefined;
  readonly status?: RecordStatus | undefined;
  /** In its plan, be it that another host was at the address then. */
  readonly host?: Address | undefined;
}

/** What was asked for when it was made: by that a repeated request is known. */
export interface OriginalRequest {
  readonly policyInput: PolicyInput;
}

/** What changes of an operation, apart from its standing. */
type ProgressField =
  | ('id' | 'finishedAt' | 'blockedSinceMs')
  | ('acknowledgedFailures' | 'acceptedFailures' | 'assessment' | 'ignoredHosts');

/** Written into the query, so that the indexes of what is open are found without a plan for each call. */
const SQL_TRUE = sql.lit(1);

const selectOperation = ({ db }: SqlSession, { id }: { id: string }) =>
  db.selectFrom('operations').select(OPERATION_COLUMNS).where('id', '=', id);
const findOperation = prepareQuery(selectOperation);
const lockOperation = prepareQuery((session: SqlSession, key: { id: string }) =>
  forUpdate(session.engine, selectOperation(session, key)),
);

const findOpen = prepareQuery(({ db }: SqlSession, { cluster }: { cluster: RecordName }) =>
  db
    .selectFrom('operations')
    .select([...OPERATION_COLUMNS, 'policy_input_json'])
    .where('cluster', '=', cluster)
    .where('is_open', '=', SQL_TRUE),
);

const findLatest = prepareQuery(
  ({ db }: SqlSession, { cluster, kind }: { cluster: RecordName; kind: OperationKind }) =>
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
const findEarliestDue = prepareQuery((session: SqlSession, _: Record<never, never>) =>
  earliestQuery(session),
);

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

/** Operations on clusters. What they come to on each host is kept in `operation-hosts`. */
export class OperationRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  get #db(): Kysely<Tables> {
    return this.#session.db;
  }

  async get(id: string): Promise<StoredOperation | undefined> {
    const [row] = await findOperation(this.#session, { id });
    return row && toOperation(row);
  }

  async lock(id: string): Promise<StoredOperation | undefined> {
    this.#session.lockOrder.assertNext('operation', id);
    const [row] = await lockOperation(this.#session, { id });
    return row && toOperation(row);
  }

  /** The one that is open on a cluster, and what was asked for. */
  async getOpen(
    cluster: RecordName,
  ): Promise<(StoredOperation & { originalRequest: OriginalRequest }) | undefined> {
    const [row] = await findOpen(this.#session, { cluster });
    return (
      row && {
        ...toOperation(row),
        originalRequest: { policyInput: policyInputJson.parse(row.policy_input_json) },
      }
    );
  }

  /** The same, locked: nothing is decided about it meanwhile. Whoever has locked the cluster knows that no other is begun, either. */
  async lockOpen(cluster: RecordName): Promise<StoredOperation | undefined> {
    const [row] = await findOpen(this.#session, { cluster });
    const locked = row && (await this.lock(row.id));
    return locked && isOperationOpen(locked) ? locked : undefined;
  }

  async getLatest(cluster: RecordName, kind: OperationKind): Promise<StoredOperation | undefined> {
    const [row] = await findLatest(this.#session, { cluster, kind });
    return row && toOperation(row);
  }

  /** Newest first; `after` is the number of the last of the page before. */
  async list(filter: OperationFilter, page: PageRequest<number>): Promise<Page<StoredOperation>> {
    let query = this.#db.selectFrom('operations').select(OPERATION_COLUMNS).orderBy('sequence', 'desc');
    if (page.after !== undefined) query = query.where('sequence', '<', page.after);
    if (filter.cluster !== undefined) query = query.where('cluster', '=', filter.cluster);
    if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
    if (filter.status !== undefined)
      query = query.where('state', 'in', statesWithRecordStatus(filter.status));
    if (filter.host !== undefined) query = query.where('id', 'in', this.#operationsOnHost(filter.host));
    return toPage(await withLimit(query, toPageParams(page).limit).execute(), page, toOperation);
  }

  /** Found by the index `operation_hosts_by_host`. */
  #operationsOnHost(host: Address) {
    return this.#db.selectFrom('operation_hosts').select('operation').where('host', '=', host);
  }

  async insert(operation: ClusterOperation, { policyInput }: OriginalRequest, dueAt: number): Promise<void> {
    const { id, kind, cluster, version, policy, hostCount } = operation;
    await this.#db
      .insertInto('operations')
      .values({
        ...{ id, kind, cluster, version, host_count: hostCount },
        policy_json: policyJson.stringify(policy),
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

  /** Where it stands now, and when it is to be looked at next. */
  async updateStatus(
    operation: OperationStatus & Pick<ClusterOperation, ProgressField>,
    dueAt: number | null,
  ): Promise<void> {
    await this.#db
      .updateTable('operations')
      .set({
        ...toStatusColumns(operation),
        blocked_since: operation.blockedSinceMs,
        acknowledged_failures: operation.acknowledgedFailures,
        accepted_failures: operation.acceptedFailures,
        assessment: operation.assessment,
        ignored_hosts_json: JSON.stringify(operation.ignoredHosts),
        finished_at: operation.finishedAt,
        is_open: isOperationOpen(operation) ? 1 : 0,
        due_at: isOperationOpen(operation) ? dueAt : null,
      })
      .where('id', '=', operation.id)
      .execute();
  }

  /** Has it looked at next at this time, if it is open. */
  async scheduleReconcile(id: string, dueAt: number): Promise<void> {
    await this.#db
      .updateTable('operations')
      .set({ due_at: dueAt })
      .where('id', '=', id)
      .where('is_open', '=', SQL_TRUE)
      .execute();
  }

  /** Has all that are open looked at. */
  async scheduleAllReconciles(now: number): Promise<void> {
    await this.#db.updateTable('operations').set({ due_at: now }).where('is_open', '=', SQL_TRUE).execute();
  }

  /** The cluster is removed: what was done to it stays on record, and is none of a later one of the same name. */
  async markClusterDeleted(cluster: RecordName): Promise<void> {
    await this.#db
      .updateTable('operations')
      .set({ is_cluster_removed: 1 })
      .where('cluster', '=', cluster)
      .execute();
  }

  /** When the next is to be looked at, these left out. */
  async nextDue(except: readonly string[] = []): Promise<number | null> {
    const [row] =
      except.length === 0
        ? await findEarliestDue(this.#session, {})
        : await earliestQuery(this.#session).where('id', 'not in', except).execute();
    return row?.at ?? null;
  }

  async listOpenIds(): Promise<readonly string[]> {
    const rows = await this.#db
      .selectFrom('operations')
      .select('id')
      .where('is_open', '=', SQL_TRUE)
      .execute();
    return rows.map(row => row.id);
  }

  async listDueIds(now: number, limit: number): Promise<readonly string[]> {
    return (await listDue(this.#session, { now, limit })).map(row => row.id);
  }

  /** Forgets those that ended before, with all that belongs to them. Answers how many. */
  async removeEndedBefore(at: string, limit: number): Promise<number> {
    const ended = this.#db
      .selectFrom('operations')
      .select('id')
      .where('finished_at', '<', at)
      .orderBy('finished_at')
      .limit(limit);
    // Looked at again as they are deleted: somebody may have had one go on meanwhile.
    const rows = await this.#db
      .deleteFrom('operations')
      .where('id', 'in', ended)
      .where('finished_at', '<', at)
      .returning('id')
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(row => row.id);
    for (const table of ['operation_output', 'operation_hosts', 'idempotency_keys'] as const)
      await this.#db.deleteFrom(table).where('operation', 'in', ids).execute();
    return ids.length;
  }
}

const toStatusColumns = ({ state, pause, problem }: OperationStatus) => ({
  state,
  pause_reason: pause,
  problem,
});
