import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './is-postgres.ts';

/**
 * Of a host with a source, the columns of facts hold what is shown of it, so that lists, filters and the line that is kept ready need
 * to know nothing of sources. What the host says of itself is beside them.
 */
export const hostSources: Migration = {
  async up(db: Kysely<unknown>) {
    const ordered = isPostgres(db) ? sql`text collate "C"` : sql`text`;
    const statements = [
      sql`alter table hosts add column host_facts_json text`,
      sql`alter table hosts add column source_facts_json text`,
      sql`alter table hosts add column source_read_at bigint`,
      // For the index: PostgreSQL writes a row to every index anew when a value changes that one of them depends on.
      sql`alter table hosts add column is_source_read integer not null default 0`,
      sql`create index hosts_by_source on hosts (source, sort_key) where source <> ''`,
      sql`create index hosts_source_unread on hosts (source, sort_key) where source <> '' and is_source_read = 0`,
      sql`create table source_refreshes (
        source ${ordered} primary key,
        due_at bigint not null,
        began_at bigint not null default 0,
        busy_until bigint not null default 0,
        fence bigint not null default 0,
        problem text not null default ''
      )`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
