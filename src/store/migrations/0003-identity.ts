import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const identity: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table service_identity (
      id integer primary key check (id = 1),
      public_key text not null,
      private_key text not null
    )`.execute(db);
  },
};
