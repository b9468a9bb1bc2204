import type { Selectable } from 'kysely';
import type { LoginSession } from '../../../domain/accounts/login-session.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { Role } from '../../../domain/vocabulary.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';

type Row = Selectable<Tables['sessions']>;

const COLUMNS = [
  ...(['id', 'secret_digest', 'account', 'account_revision'] as const),
  ...(['created_at', 'expires_at', 'confirmed_at'] as const),
];

const toSession = (row: Row): LoginSession => ({
  id: row.id,
  secretDigest: row.secret_digest,
  account: row.account,
  accountRevision: row.account_revision,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  confirmedAt: row.confirmed_at,
});

const toRow = (session: LoginSession): Row => ({
  id: session.id,
  secret_digest: session.secretDigest,
  account: session.account,
  account_revision: session.accountRevision,
  created_at: session.createdAt,
  expires_at: session.expiresAt,
  confirmed_at: session.confirmedAt,
});

/** PostgreSQL has a limit of time for one statement; what is left goes the next time. */
const REMOVED_AT_ONCE = 1000;

/** Asked by everyone who calls with a session. Another revision is another state of the account. */
const sessionWithDigest = prepare(({ db }: SqlSession, { digest }: { digest: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', join =>
      join
        .onRef('accounts.name', '=', 'sessions.account')
        .onRef('accounts.revision', '=', 'sessions.account_revision'),
    )
    .select(COLUMNS.map(column => `sessions.${column}` as const))
    .select('accounts.role')
    .where('secret_digest', '=', digest),
);

/** The sessions of an account are changed under the lock of the account. */
export class LoginSessionRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** With the role of its account; `undefined` also when that was changed or removed since. It may be over. */
  async withDigest(digest: string): Promise<(LoginSession & { readonly role: Role }) | undefined> {
    const [row] = await sessionWithDigest(this.#session, { digest });
    return row && { ...toSession(row), role: row.role };
  }

  /** All of an account, oldest first. */
  async of(account: RecordName): Promise<readonly LoginSession[]> {
    const { db } = this.#session;
    const rows = db.selectFrom('sessions').select(COLUMNS).where('account', '=', account);
    return (await rows.orderBy('created_at').orderBy('id').execute()).map(toSession);
  }

  async insert(session: LoginSession): Promise<void> {
    await this.#session.db.insertInto('sessions').values(toRow(session)).execute();
  }

  async confirm(id: string, confirmedAt: string): Promise<void> {
    await this.#session.db
      .updateTable('sessions')
      .set({ confirmed_at: confirmedAt })
      .where('id', '=', id)
      .execute();
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#session.db.deleteFrom('sessions').where('id', 'in', ids).execute();
  }

  /** Of all accounts, those that were over by then. Those that somebody else is at are left to them. */
  async removeExpired(now: string): Promise<void> {
    const { db, engine } = this.#session;
    const over = db.selectFrom('sessions').select('id').where('expires_at', '<=', now).limit(REMOVED_AT_ONCE);
    await db
      .deleteFrom('sessions')
      .where('id', 'in', engine.hasRowLocks ? over.forUpdate().skipLocked() : over)
      .execute();
  }

  async removeAll(): Promise<void> {
    await this.#session.db.deleteFrom('sessions').execute();
  }
}
