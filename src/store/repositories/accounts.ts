import type { Kysely, Selectable } from 'kysely';
import type { Account } from '../../domain/account.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Tables } from '../tables.ts';
import type { Locking } from '../traits.ts';
import { insertOrLock } from './insert-or-lock.ts';
import { wasInserted } from './inserted.ts';
import { readPage } from './read-page.ts';

const toAccount = (row: Selectable<Tables['accounts']>): Account => ({
  name: row.name,
  role: row.role,
  passwordHash: row.password_hash,
  revision: row.revision,
  createdAt: row.created_at,
  changedAt: row.changed_at,
});

const toRow = (account: Account): Selectable<Tables['accounts']> => ({
  name: account.name,
  role: account.role,
  password_hash: account.passwordHash,
  revision: account.revision,
  created_at: account.createdAt,
  changed_at: account.changedAt,
});

export class AccountRepository {
  readonly #db: Kysely<Tables>;
  readonly #locking: Locking;

  constructor(db: Kysely<Tables>, locking: Locking) {
    this.#db = db;
    this.#locking = locking;
  }

  async get(name: RecordName): Promise<Account | undefined> {
    const row = await this.#db.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
    return row && toAccount(row);
  }

  async list(page: Page<RecordName>): Promise<Listed<Account>> {
    let query = this.#db.selectFrom('accounts').selectAll().orderBy('name');
    if (page.after !== undefined) query = query.where('name', '>', page.after);
    return readPage(query, page.limit, toAccount);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#db.selectFrom('accounts').select('name').limit(1).executeTakeFirst()) === undefined;
  }

  async lock(name: RecordName): Promise<Account | undefined> {
    this.#locking.order.next('account', name);
    const row = await this.#db
      .selectFrom('accounts')
      .selectAll()
      .where('name', '=', name)
      .$if(this.#locking.hasRowLocks, query => query.forUpdate())
      .executeTakeFirst();
    return row && toAccount(row);
  }

  /** Locks all admins, so that two of them cannot remove each other at the same time. */
  async lockAdmins(): Promise<readonly RecordName[]> {
    this.#locking.order.next('account', '');
    const rows = await this.#db
      .selectFrom('accounts')
      .select('name')
      .where('role', '=', 'admin')
      .orderBy('name')
      .$if(this.#locking.hasRowLocks, query => query.forUpdate())
      .execute();
    return rows.map(row => row.name);
  }

  /** The account of that name that is there, locked; `undefined` when this one was made. */
  insertOrLock(account: Account): Promise<Account | undefined> {
    return insertOrLock(
      () => this.lock(account.name),
      () => this.#insert(account),
    );
  }

  async #insert(account: Account): Promise<boolean> {
    return wasInserted(
      await this.#db
        .insertInto('accounts')
        .values(toRow(account))
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst(),
    );
  }

  async update(account: Account): Promise<void> {
    await this.#db.updateTable('accounts').set(toRow(account)).where('name', '=', account.name).execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.#db.deleteFrom('accounts').where('name', '=', name).execute();
  }
}
