import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The last checks of each host (`domain/watch/check-history.ts`), and which operations a host was part of. */
export const checks: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      sql`alter table hosts add column checks text not null default ''`,
      sql`create index operations_of_host on operation_hosts (host, operation)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
