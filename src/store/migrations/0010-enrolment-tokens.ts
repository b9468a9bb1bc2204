import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './is-postgres.ts';

export const enrolmentTokens: Migration = {
  async up(db: Kysely<unknown>) {
    const ordered = isPostgres(db) ? sql`text collate "C"` : sql`text`;
    const statements = [
      sql`create table enrolment_tokens (
        name ${ordered} primary key,
        id text not null,
        secret_digest text not null unique,
        cluster text,
        cidr text,
        uses integer not null,
        used integer not null,
        created_at text not null,
        expires_at text not null
      )`,
      sql`alter table host_access add column enrolled_by text`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
