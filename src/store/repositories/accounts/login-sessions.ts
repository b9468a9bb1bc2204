import type { LoginSession } from '../../../domain/accounts/login-session.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { Role } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';

const COLUMNS = [
  'sessions.id',
  'sessions.secret_digest as secretDigest',
  'sessions.account',
  'sessions.account_revision as accountRevision',
  'sessions.created_at as createdAt',
  'sessions.expires_at as expiresAt',
  'sessions.confirmed_at as confirmedAt',
] as const;

/** PostgreSQL limits the time of a statement. The next call removes the rest. */
const PRUNE_BATCH_SIZE = 1000;

/** Runs for every request with a session. A session is invalid after the account has changed. */
const findSessionByDigest = prepareQuery(({ db }: SqlSession, { digest }: { digest: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', join =>
      join.onRef('accounts.name', '=', 'sessions.account').onRef('accounts.revision', '=', 'sessions.account_revision'),
    )
    .select([...COLUMNS, 'accounts.role'])
    .where('secret_digest', '=', digest),
);

/** The account must be locked to change its sessions. */
export class LoginSessionRepository extends Repository {
  /** Returns `undefined` if the account was changed or removed since. The session can be expired. */
  async findByDigest(digest: string): Promise<(LoginSession & { readonly role: Role }) | undefined> {
    const [session] = await findSessionByDigest(this.session, { digest });
    return session;
  }

  /** Oldest first. */
  async listByAccount(account: RecordName): Promise<readonly LoginSession[]> {
    const sessions = this.db.selectFrom('sessions').select(COLUMNS).where('account', '=', account);
    return sessions.orderBy('created_at').orderBy('id').execute();
  }

  async insert(session: LoginSession): Promise<void> {
    await this.db
      .insertInto('sessions')
      .values({
        id: session.id,
        secret_digest: session.secretDigest,
        account: session.account,
        account_revision: session.accountRevision,
        created_at: session.createdAt,
        expires_at: session.expiresAt,
        confirmed_at: session.confirmedAt,
      })
      .execute();
  }

  async confirm(id: string, confirmedAt: string): Promise<void> {
    await this.db.updateTable('sessions').set({ confirmed_at: confirmedAt }).where('id', '=', id).execute();
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.db.deleteFrom('sessions').where('id', 'in', ids).execute();
  }

  /** Skips sessions that another transaction has locked. */
  async removeExpired(now: string): Promise<void> {
    const { db, engine } = this.session;
    const expired = db.selectFrom('sessions').select('id').where('expires_at', '<=', now).limit(PRUNE_BATCH_SIZE);
    await db
      .deleteFrom('sessions')
      .where('id', 'in', engine.hasRowLocks ? expired.forUpdate().skipLocked() : expired)
      .execute();
  }

  async removeAll(): Promise<void> {
    await this.db.deleteFrom('sessions').execute();
  }
}

export class SignInNetworkRepository extends Repository {
  /** Returns `undefined` if there was none, or it was too long ago. */
  async getLastSignIn(network: string): Promise<number | undefined> {
    const row = await this.db
      .selectFrom('sign_in_networks')
      .select('last_at')
      .where('network', '=', network)
      .executeTakeFirst();
    return row?.last_at;
  }

  async put(network: string, atMs: number): Promise<void> {
    await this.db
      .insertInto('sign_in_networks')
      .values({ network, last_at: atMs })
      .onConflict(conflict => conflict.column('network').doUpdateSet({ last_at: atMs }))
      .execute();
  }

  async removeBefore(atMs: number): Promise<void> {
    const { db, engine } = this.session;
    const old = db.selectFrom('sign_in_networks').select('network').where('last_at', '<', atMs).limit(PRUNE_BATCH_SIZE);
    await db
      .deleteFrom('sign_in_networks')
      .where('network', 'in', engine.hasRowLocks ? old.forUpdate().skipLocked() : old)
      .execute();
  }
}
