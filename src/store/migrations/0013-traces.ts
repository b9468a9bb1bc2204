import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The trace that an operation belongs to; `''`: none. Work has it among its details. */
export const traces: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table operations add column trace text not null default ''`.execute(db);
  },
};
