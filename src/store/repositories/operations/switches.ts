import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';

const isOn = prepare(({ db }: SqlSession, { name }: { name: 'operations_paused' }) =>
  db.selectFrom('service_flags').select('is_on').where('name', '=', name),
);

/** What people have switched on for the whole service. */
export class SwitchRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Whether all operations are held. */
  async isHeld(): Promise<boolean> {
    const [row] = await isOn(this.#session, { name: 'operations_paused' });
    return row?.is_on === 1;
  }

  async setHeld(isHeld: boolean): Promise<void> {
    const is_on = isHeld ? 1 : 0;
    await this.#session.db
      .insertInto('service_flags')
      .values({ name: 'operations_paused', is_on })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ is_on }))
      .execute();
  }
}
