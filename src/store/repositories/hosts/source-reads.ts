import type { SqlSession } from '../../sql-session.ts';

/** How it stands with the reading of a host source. Times are the store's. */
export interface SourceRead {
  readonly dueAt: number;
  readonly beganAt: number;
  /** 0: no server has it. */
  readonly busyUntil: number;
  readonly fence: number;
  /** Why it could not be read the last time; empty: it could. */
  readonly problem: string;
}

/** How a server takes a source that it has seen to be free. */
interface TakenRead {
  readonly busyUntil: number;
  /** When all hosts are read: that this is done, and when the next time is. */
  readonly whole?: { readonly beganAt: number; readonly nextDueAt: number } | undefined;
}

/** Who reads which host source, and when: one server at a time, however many share the store. */
export class SourceReadRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(source: string): Promise<SourceRead | undefined> {
    const row = await this.#session.db
      .selectFrom('source_refreshes')
      .select(['due_at', 'started_at', 'claimed_until', 'fence', 'problem'])
      .where('source', '=', source)
      .executeTakeFirst();
    return (
      row && {
        dueAt: row.due_at,
        beganAt: row.started_at,
        busyUntil: row.claimed_until,
        fence: row.fence,
        problem: row.problem,
      }
    );
  }

  /** It is read by then, if not earlier. */
  async hasten(source: string, dueAt: number): Promise<void> {
    const { db } = this.#session;
    await db
      .insertInto('source_refreshes')
      .values({ source, due_at: dueAt })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    await db
      .updateTable('source_refreshes')
      .set({ due_at: dueAt })
      .where('source', '=', source)
      .where('due_at', '>', dueAt)
      .execute();
  }

  /** Answers the fence by which it is ours from now on; `undefined`: another server was faster, whether it has it still or not. */
  async take(
    source: string,
    { fence, busyUntil: wasBusyUntil }: Pick<SourceRead, 'fence' | 'busyUntil'>,
    { busyUntil, whole }: TakenRead,
  ): Promise<number | undefined> {
    const row = await this.#session.db
      .updateTable('source_refreshes')
      .set({
        claimed_until: busyUntil,
        fence: fence + 1,
        ...(whole && { started_at: whole.beganAt, due_at: whole.nextDueAt }),
      })
      .where('source', '=', source)
      .where('fence', '=', fence)
      .where('claimed_until', '=', wasBusyUntil)
      .returning('fence')
      .executeTakeFirst();
    return row?.fence;
  }

  /** Keeps it for longer, and locked until the transaction ends. `false`: another server has it by now. */
  async hold(source: string, fence: number, busyUntil: number): Promise<boolean> {
    this.#session.order.next('host_source', source);
    const held = await this.#session.db
      .updateTable('source_refreshes')
      .set({ claimed_until: busyUntil })
      .where('source', '=', source)
      .where('fence', '=', fence)
      .returning('fence')
      .execute();
    return held.length > 0;
  }

  /** Lets others have it. */
  async giveUp(source: string, fence: number, problem?: string): Promise<void> {
    await this.#session.db
      .updateTable('source_refreshes')
      .set({ claimed_until: 0, ...(problem !== undefined && { problem }) })
      .where('source', '=', source)
      .where('fence', '=', fence)
      .execute();
  }

  /** On a store that has one owner at a time: whoever had it is gone, and did not come to an end. */
  async freeFromEarlier(source: string): Promise<void> {
    await this.#session.db
      .updateTable('source_refreshes')
      .set({ claimed_until: 0, due_at: 0 })
      .where('source', '=', source)
      .where('claimed_until', '>', 0)
      .execute();
  }
}
