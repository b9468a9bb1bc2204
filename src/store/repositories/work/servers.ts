import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';

type Entry = { readonly incarnation: string; readonly until: number };

const renew = prepare(({ db }: SqlSession, { incarnation, now, until }: Entry & { now: number }) =>
  db
    .updateTable('servers')
    .set({ alive_until: until })
    .where('incarnation', '=', incarnation)
    .where('alive_until', '>', now)
    .returning('incarnation'),
);

const nextExpiry = prepare(({ db }: SqlSession, { incarnation }: Pick<Entry, 'incarnation'>) =>
  db
    .selectFrom('servers')
    .select(({ fn }) => fn.min('alive_until').as('until'))
    .where('incarnation', '<>', incarnation),
);

/** The servers at work on the store. One row keeps all claims of a server alive. Times are the store's. */
export class ServerRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** `bootId` is that of the machine it runs on. */
  async enter(incarnation: string, until: number, bootId: string): Promise<void> {
    await this.#session.db
      .insertInto('servers')
      .values({ incarnation, alive_until: until, boot_id: bootId })
      .execute();
  }

  /** Of the machines that servers run on. */
  async bootIds(): Promise<readonly string[]> {
    const rows = await this.#session.db
      .selectFrom('servers')
      .select('boot_id')
      .where('boot_id', '<>', '')
      .execute();
    return rows.map(row => row.boot_id);
  }

  /** `false` when it is too late: others may have taken over. */
  async renew(incarnation: string, now: number, until: number): Promise<boolean> {
    return (await renew(this.#session, { incarnation, now, until })).length > 0;
  }

  async leave(incarnation: string): Promise<void> {
    await this.#session.db.deleteFrom('servers').where('incarnation', '=', incarnation).execute();
  }

  /** On a store that has one owner at a time: whoever was here before is gone. */
  async leaveAll(): Promise<void> {
    await this.#session.db.deleteFrom('servers').execute();
  }

  async forgetDead(now: number): Promise<void> {
    await this.#session.db.deleteFrom('servers').where('alive_until', '<=', now).execute();
  }

  /** When the next of the others would be given up, if it does not renew. */
  async nextExpiry(incarnation: string): Promise<number | null> {
    const [row] = await nextExpiry(this.#session, { incarnation });
    return row?.until ?? null;
  }
}
