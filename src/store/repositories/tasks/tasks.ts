import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverRecord } from '../../../domain/driver-record.ts';
import { checkOffsetOf } from '../../../domain/tasks/host-queue.ts';
import type { SavedTask, Task, TaskState } from '../../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../../domain/tasks/task.ts';
import type { StoredKeys } from '../../json-column.ts';
import { jsonColumn } from '../../json-column.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { POLICY_KEYS } from '../operations/operation-rows.ts';
import { toChunks, withLimit } from '../query-building.ts';

type FieldOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Field extends PropertyKey> = Union extends { readonly [Name in Field]?: infer Value }
  ? Value
  : never;

/** The fields of all kinds of tasks that have no column. */
export type TaskDetails = {
  readonly [Field in Exclude<FieldOf<Task>, 'kind' | 'host' | 'enrolment'>]?: ValueOf<Task, Field>;
};

const DRIVER_RECORD_KEYS: StoredKeys<DriverRecord> = {
  name: 'name',
  type: 'type',
  options: 'options',
  sealedOptions: 'sealed_options',
  revision: 'revision',
};

export const taskDetailsJson = jsonColumn<TaskDetails>({
  cluster: 'cluster',
  network: { key: 'network', within: DRIVER_RECORD_KEYS },
  containerManager: { key: 'container_manager', within: DRIVER_RECORD_KEYS },
  mayBeNode: 'may_be_node',
  operation: 'operation',
  operationKind: 'operation_kind',
  attempt: 'attempt',
  version: 'version',
  policy: { key: 'policy', within: POLICY_KEYS },
  stageResult: 'stage_result',
  trace: 'trace',
});

/** `state_json`; `{}` for a task that has not started. */
const taskStateJson = jsonColumn<Partial<TaskState>>({
  done: 'done',
  step: 'step',
  attempts: 'attempts',
  jobRound: 'job_round',
  retryTimeMs: 'retry_time_ms',
  problem: 'problem',
  suppressedAttempts: 'suppressed_attempts',
  stepState: 'step_state',
  rollback: {
    key: 'rollback',
    within: {
      fromStep: 'from_step',
      reason: { key: 'reason', within: { kind: 'kind', holdsSlot: 'holds_slot' } },
      problem: 'problem',
    },
  },
});

const COLUMNS = ['id', 'kind', 'host', 'enrolment', 'details_json', 'state_json'] as const;

const selectTasks = ({ db }: SqlSession, { host }: { host: Address }) =>
  db.selectFrom('tasks').select(COLUMNS).where('host', '=', host).orderBy('id');
const listTasks = prepareQuery(selectTasks);
const findNextDue = prepareQuery((session: SqlSession, { host, now }: { host: Address; now: number }) =>
  withLimit(selectTasks(session, { host }).where('due_at', '<=', now), 1),
);
const findEarliestDue = prepareQuery(({ db }: SqlSession, { host }: { host: Address }) =>
  db
    .selectFrom('tasks')
    .select(({ fn, eb }) => [
      fn.min('due_at').as('at'),
      fn.max(eb.case().when('kind', '=', 'rollout').then(sql.lit(1)).else(sql.lit(0)).end()).as('has_rollout'),
    ])
    .where('host', '=', host),
);

const updateState = prepareQuery(
  ({ db }: SqlSession, { id, json, dueAt }: { id: number; json: string; dueAt: number }) =>
    db.updateTable('tasks').set({ state_json: json, due_at: dueAt }).where('id', '=', id),
);

const deleteTask = prepareQuery(({ db }: SqlSession, { id }: { id: number }) =>
  db.deleteFrom('tasks').where('id', '=', id),
);

const findTaskId = prepareQuery(({ db }: SqlSession, { id }: { id: number }) =>
  db.selectFrom('tasks').select('id').where('id', '=', id),
);

type Row = Awaited<ReturnType<typeof listTasks>>[number];

const toSavedTask = ({ id, details_json, state_json, ...row }: Row): SavedTask => ({
  id,
  // The details were stored with a task of this kind.
  task: { ...row, ...taskDetailsJson.parse(details_json) } as Task,
  state: { ...INITIAL_TASK_STATE, ...taskStateJson.parse(state_json) },
});

/** Tasks are saved in the same transaction as the change that causes them. */
export class TaskRepository extends Repository {
  /** The tasks and their hosts are due at `now`. */
  async insert(tasks: readonly Task[], now: number): Promise<void> {
    for (const chunk of toChunks(tasks)) {
      const rows = chunk.map(({ kind, host, enrolment, ...details }) => ({
        kind,
        host,
        enrolment,
        operation: 'operation' in details ? details.operation : null,
        details_json: taskDetailsJson.stringify(details),
      }));
      await this.db.insertInto('tasks').values(rows).execute();
    }
    await this.scheduleHosts(
      tasks.map(({ host }) => host),
      now,
    );
  }

  async scheduleHosts(hosts: readonly Address[], now: number): Promise<void> {
    if (hosts.length > 0) this.session.signals.add('due');
    for (const chunk of toChunks([...new Set(hosts)])) {
      await this.db
        .insertInto('host_queue')
        .values(chunk.map(host => ({ host, check_offset: checkOffsetOf(host), task_due_at: now })))
        .onConflict(conflict => conflict.column('host').doUpdateSet({ task_due_at: now }))
        .execute();
    }
  }

  async removeExceptLeave(host: Address): Promise<void> {
    await this.db.deleteFrom('tasks').where('host', '=', host).where('kind', '<>', 'leave').execute();
  }

  async removeByKind(host: Address, kind: Task['kind']): Promise<void> {
    await this.db.deleteFrom('tasks').where('host', '=', host).where('kind', '=', kind).execute();
  }

  /** Oldest first. */
  async list(host: Address): Promise<readonly Task[]> {
    return (await listTasks(this.session, { host })).map(row => toSavedTask(row).task);
  }

  async listSaved(host: Address): Promise<readonly SavedTask[]> {
    return (await listTasks(this.session, { host })).map(toSavedTask);
  }

  /** Returns the oldest due task. A waiting task does not block later ones. */
  async getNextDue(host: Address, now: number): Promise<SavedTask | undefined> {
    const [row] = await findNextDue(this.session, { host, now });
    return row && toSavedTask(row);
  }

  /** `dueAt`: null if the host has no task. A host with a rollout task is in flight. */
  async getEarliestDue(host: Address): Promise<{ readonly dueAt: number | null; readonly isInFlight: boolean }> {
    const [row] = await findEarliestDue(this.session, { host });
    return { dueAt: row?.at ?? null, isInFlight: row?.has_rollout === 1 };
  }

  /** Locks the host queue before the tasks. */
  async runNow(operation: string, hosts: readonly Address[], now: number): Promise<void> {
    this.session.signals.add('due');
    const chunks = toChunks(hosts);
    for (const chunk of chunks)
      await this.db.updateTable('host_queue').set({ task_due_at: now }).where('host', 'in', chunk).execute();
    for (const chunk of chunks)
      await this.db
        .updateTable('tasks')
        .set({ due_at: now })
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .execute();
  }

  async deleteForOperation(operation: string, hosts: readonly Address[]): Promise<void> {
    for (const chunk of toChunks(hosts))
      await this.db.deleteFrom('tasks').where('operation', '=', operation).where('host', 'in', chunk).execute();
  }

  async exists(id: number): Promise<boolean> {
    return (await findTaskId(this.session, { id })).length > 0;
  }

  async saveState(id: number, state: TaskState, dueAt: number): Promise<void> {
    await updateState(this.session, { id, json: taskStateJson.stringify(state), dueAt });
  }

  async remove(id: number): Promise<void> {
    await deleteTask(this.session, { id });
  }
}
