import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When the password was last confirmed in a session; null: never since the sign-in. */
export const sessionConfirmations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table sessions add column confirmed_at text`.execute(db);
  },
};
