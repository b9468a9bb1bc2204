import type { Account } from '../../../domain/accounts/account.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import type { PageParams } from '../query-building.ts';
import {
  forUpdate,
  insertIfAbsent,
  insertOrLock,
  prepareLookup,
  toPage,
  toPageParams,
  withLimit,
} from '../query-building.ts';

const selectAccounts = ({ db }: SqlSession) =>
  db
    .selectFrom('accounts')
    .select(['name', 'role', 'revision'])
    .select(['password_hash as passwordHash', 'created_at as createdAt', 'changed_at as changedAt']);

const toRow = (account: Account) => ({
  name: account.name,
  role: account.role,
  password_hash: account.passwordHash,
  revision: account.revision,
  created_at: account.createdAt,
  changed_at: account.changedAt,
});

const accountByName = prepareLookup((session: SqlSession, { name }: { name: RecordName }) =>
  selectAccounts(session).where('name', '=', name),
);

const listAccountsAfter = prepareQuery((session: SqlSession, { after, limit }: PageParams<RecordName>) => {
  const query = withLimit(selectAccounts(session).orderBy('name'), limit);
  return after === undefined ? query : query.where('name', '>', after);
});

export class AccountRepository extends Repository {
  get(name: RecordName): Promise<Account | undefined> {
    return accountByName.find(this.session, { name });
  }

  async list(page: PageRequest<RecordName>): Promise<Page<Account>> {
    return toPage(await listAccountsAfter(this.session, toPageParams(page)), page, row => row);
  }

  async isEmpty(): Promise<boolean> {
    const { items } = await this.list({ limit: 1 });
    return items.length === 0;
  }

  async lock(name: RecordName): Promise<Account | undefined> {
    this.session.lockOrder.assertNext('account', name);
    return accountByName.lock(this.session, { name });
  }

  /** Locks all administrators, so that two of them cannot remove each other at the same time. */
  async lockAdmins(): Promise<readonly RecordName[]> {
    this.session.lockOrder.assertNext('account', '');
    const admins = this.db.selectFrom('accounts').select('name').where('role', '=', 'admin').orderBy('name');
    return (await forUpdate(this.session.engine, admins).execute()).map(row => row.name);
  }

  insertOrLock(account: Account): Promise<Account | undefined> {
    return insertOrLock(
      () => this.lock(account.name),
      () => insertIfAbsent(this.db.insertInto('accounts').values(toRow(account))),
    );
  }

  async update(account: Account): Promise<void> {
    await this.db.updateTable('accounts').set(toRow(account)).where('name', '=', account.name).execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.db.deleteFrom('accounts').where('name', '=', name).execute();
  }
}
