import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const transports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table host_access add column transport text not null default ''`.execute(db);
  },
};
