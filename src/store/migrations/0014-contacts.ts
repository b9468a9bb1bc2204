import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The last contact with each host, which servers are partitioned, since when hosts are out of service, and who may reboot. */
export const contacts: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      sql`alter table agenda add column answered_at bigint not null default 0`,
      sql`alter table agenda add column silent_since bigint`,
      sql`alter table agenda add column failed_at bigint not null default 0`,
      sql`alter table agenda add column recent_failures integer not null default 0`,
      sql`create index agenda_silent on agenda (host) where silent_since is not null`,
      sql`alter table servers add column partitioned_since bigint`,
      sql`alter table hosts add column status_since text not null default ''`,
      sql`alter table hosts add column maintenance_since text not null default ''`,
      sql`alter table operations add column assessment text not null default 'done'`,
      sql`alter table operations add column accepted_failures integer not null default 0`,
      sql`alter table operation_hosts add column asks_to_reboot integer not null default 0`,
      sql`alter table operation_hosts add column cleared_until bigint`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
