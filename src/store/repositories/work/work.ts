import type { Address } from '../../../domain/addresses/address.ts';
import type { SavedTask, Task, TaskState } from '../../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../../domain/tasks/task.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { chunksOf } from '../queries/chunks-of.ts';
import { limited } from '../queries/page-query.ts';
import { taskDetailsJson, taskStateJson } from './task-json.ts';

const COLUMNS = ['id', 'kind', 'host', 'enrolment', 'details_json', 'state_json'] as const;

const ofHost = ({ db }: SqlSession, { host }: { host: Address }) =>
  db.selectFrom('tasks').select(COLUMNS).where('host', '=', host).orderBy('id');
const allOf = prepare(ofHost);
const nextDue = prepare((session: SqlSession, { host, now }: { host: Address; now: number }) =>
  limited(ofHost(session, { host }).where('due_at', '<=', now), 1),
);
const earliestDue = prepare(({ db }: SqlSession, { host }: { host: Address }) =>
  db
    .selectFrom('tasks')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .where('host', '=', host),
);

const setProgress = prepare(
  ({ db }: SqlSession, { id, json, dueAt }: { id: number; json: string; dueAt: number }) =>
    db.updateTable('tasks').set({ state_json: json, due_at: dueAt }).where('id', '=', id),
);

const removeById = prepare(({ db }: SqlSession, { id }: { id: number }) =>
  db.deleteFrom('tasks').where('id', '=', id),
);

const idOf = prepare(({ db }: SqlSession, { id }: { id: number }) =>
  db.selectFrom('tasks').select('id').where('id', '=', id),
);

type Row = Awaited<ReturnType<typeof allOf>>[number];

const toSaved = ({ id, details_json, state_json, ...row }: Row): SavedTask => ({
  id,
  // The details were stored with a task of this kind.
  task: { ...row, ...taskDetailsJson.parse(details_json) } as Task,
  state: { ...INITIAL_TASK_STATE, ...taskStateJson.parse(state_json) },
});

/** Work to be done on hosts, saved in the transaction of the change that caused it. */
export class WorkRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async save(works: readonly Task[]): Promise<void> {
    for (const chunk of chunksOf(works)) {
      const rows = chunk.map(({ kind, host, enrolment, ...details }) => ({
        kind,
        host,
        enrolment,
        operation: 'operation' in details ? details.operation : null,
        details_json: taskDetailsJson.stringify(details),
      }));
      await this.#session.db.insertInto('tasks').values(rows).execute();
    }
  }

  /** Forgets what was to be done to bring a host in, also when it is under way. What takes it out of something stays. */
  async dropBringingIn(host: Address): Promise<void> {
    await this.#session.db
      .deleteFrom('tasks')
      .where('host', '=', host)
      .where('kind', '<>', 'leave')
      .execute();
  }

  /** Forgets what of this kind was to be done on a host. */
  async drop(host: Address, kind: Task['kind']): Promise<void> {
    await this.#session.db.deleteFrom('tasks').where('host', '=', host).where('kind', '=', kind).execute();
  }

  /** What is to be done on a host, oldest first. */
  async of(host: Address): Promise<readonly Task[]> {
    return (await allOf(this.#session, { host })).map(row => toSaved(row).task);
  }

  /** The same, and how far it has come. */
  async savedOf(host: Address): Promise<readonly SavedTask[]> {
    return (await allOf(this.#session, { host })).map(toSaved);
  }

  /** The oldest of what is due on a host. What waits does not hold up what comes after it. */
  async nextDue(host: Address, now: number): Promise<SavedTask | undefined> {
    const [row] = await nextDue(this.#session, { host, now });
    return row && toSaved(row);
  }

  /** When something is to be done on a host; null: nothing is. */
  async earliestDue(host: Address): Promise<number | null> {
    const [row] = await earliestDue(this.#session, { host });
    return row?.at ?? null;
  }

  /** Has the work of an operation on these hosts gone on with now. */
  async hasten(operation: string, hosts: readonly Address[], now: number): Promise<void> {
    for (const chunk of chunksOf(hosts))
      await this.#session.db
        .updateTable('tasks')
        .set({ due_at: now })
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .execute();
  }

  /** Forgets the work of an operation on these hosts. */
  async dropOf(operation: string, hosts: readonly Address[]): Promise<void> {
    for (const chunk of chunksOf(hosts))
      await this.#session.db
        .deleteFrom('tasks')
        .where('operation', '=', operation)
        .where('host', 'in', chunk)
        .execute();
  }

  async isThere(id: number): Promise<boolean> {
    return (await idOf(this.#session, { id })).length > 0;
  }

  /** How far it has come, and when it goes on. */
  async setProgress(id: number, progress: TaskState, dueAt: number): Promise<void> {
    await setProgress(this.#session, { id, json: taskStateJson.stringify(progress), dueAt });
  }

  async remove(id: number): Promise<void> {
    await removeById(this.#session, { id });
  }
}
