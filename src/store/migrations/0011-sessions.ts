import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const sessions: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      sql`create table sessions (
        id text primary key,
        secret_digest text not null unique,
        account text not null,
        account_revision text not null,
        created_at text not null,
        expires_at text not null
      )`,
      sql`create index sessions_by_account on sessions (account, created_at)`,
      sql`create index sessions_by_expiry on sessions (expires_at)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
