import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Networks with sign-ins by password, and the time of the last one in milliseconds of the store's clock. */
export const signInNetworks: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      sql`create table sign_in_networks (network text primary key, last_at bigint not null)`,
      sql`create index sign_in_networks_by_time on sign_in_networks (last_at)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
