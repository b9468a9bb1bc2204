import type { Selectable } from 'kysely';
import type { Account } from '../../../domain/accounts/account.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import type { PageParams } from '../query-building.ts';
import { forUpdate, insertOrLock, toPage, toPageParams, withLimit } from '../query-building.ts';

type Row = Selectable<Tables['accounts']>;

const COLUMNS = ['name', 'role', 'password_hash', 'revision', 'created_at', 'changed_at'] as const;

const toAccount = (row: Row): Account => ({
  name: row.name,
  role: row.role,
  passwordHash: row.password_hash,
  revision: row.revision,
  createdAt: row.created_at,
  changedAt: row.changed_at,
});

const toRow = (account: Account): Row => ({
  name: account.name,
  role: account.role,
  password_hash: account.passwordHash,
  revision: account.revision,
  created_at: account.createdAt,
  changed_at: account.changedAt,
});

type Key = Pick<Row, 'name'>;

const selectAccount = ({ db }: SqlSession, { name }: Key) =>
  db.selectFrom('accounts').select(COLUMNS).where('name', '=', name);
const findAccount = prepareQuery(selectAccount);
const lockAccount = prepareQuery((session: SqlSession, key: Key) =>
  forUpdate(session.engine, selectAccount(session, key)),
);

const listAccountsAfter = prepareQuery(({ db }: SqlSession, { after, limit }: PageParams<RecordName>) => {
  const query = withLimit(db.selectFrom('accounts').select(COLUMNS).orderBy('name'), limit);
  return after === undefined ? query : query.where('name', '>', after);
});

export class AccountRepository extends Repository {
  async get(name: RecordName): Promise<Account | undefined> {
    const [row] = await findAccount(this.session, { name });
    return row && toAccount(row);
  }

  async list(page: PageRequest<RecordName>): Promise<Page<Account>> {
    return toPage(await listAccountsAfter(this.session, toPageParams(page)), page, toAccount);
  }

  async isEmpty(): Promise<boolean> {
    const { items } = await this.list({ limit: 1 });
    return items.length === 0;
  }

  async lock(name: RecordName): Promise<Account | undefined> {
    this.session.lockOrder.assertNext('account', name);
    const [row] = await lockAccount(this.session, { name });
    return row && toAccount(row);
  }

  /** Locks all administrators, so that two of them cannot remove each other at the same time. */
  async lockAdmins(): Promise<readonly RecordName[]> {
    const { db, engine, lockOrder } = this.session;
    lockOrder.assertNext('account', '');
    const admins = db.selectFrom('accounts').select('name').where('role', '=', 'admin').orderBy('name');
    return (await forUpdate(engine, admins).execute()).map(row => row.name);
  }

  /** Returns the existing account, locked, or `undefined` if this one was inserted. */
  insertOrLock(account: Account): Promise<Account | undefined> {
    return insertOrLock(
      () => this.lock(account.name),
      () => this.#insert(account),
    );
  }

  async #insert(account: Account): Promise<boolean> {
    const inserted = await this.db
      .insertInto('accounts')
      .values(toRow(account))
      .onConflict(conflict => conflict.doNothing())
      .returning('name')
      .execute();
    return inserted.length > 0;
  }

  async update(account: Account): Promise<void> {
    await this.db.updateTable('accounts').set(toRow(account)).where('name', '=', account.name).execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.db.deleteFrom('accounts').where('name', '=', name).execute();
  }
}
