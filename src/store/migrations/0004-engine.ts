import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './is-postgres.ts';

export const engine: Migration = {
  async up(db: Kysely<unknown>) {
    const ordered = isPostgres(db) ? sql`text collate "C"` : sql`text`;
    const statements = [
      sql`alter table hosts add column hostname text not null default ''`,
      sql`alter table hosts add column boot_id text not null default ''`,
      sql`alter table hosts add column os_driver text not null default ''`,
      sql`alter table hosts add column registered_with text`,
      sql`alter table hosts add column in_maintenance integer not null default 0`,
      sql`alter table hosts add column maintenance_reason text not null default ''`,
      sql`drop index hosts_by_cluster`,
      sql`create index hosts_by_cluster on hosts (cluster, status, in_maintenance)`,
      sql`create table host_labels (
        host text not null references hosts (address),
        key ${ordered} not null,
        value ${ordered} not null,
        primary key (host, key)
      )`,
      sql`create index hosts_by_label on host_labels (key, value, host)`,
      sql`alter table host_access add column pending_host_key text`,
      sql`alter table work add column state_json text not null default '{}'`,
      sql`alter table work add column due_at bigint not null default 0`,
      sql`create table servers (
        incarnation text primary key,
        lease_expires_at bigint not null
      )`,
      sql`create table agenda (
        host text primary key,
        phase integer not null,
        task_due_at bigint,
        check_due_at bigint,
        facts_due_at bigint not null default 0,
        failures integer not null default 0,
        owner text,
        fence bigint not null default 0
      )`,
      sql`create index agenda_by_work on agenda (task_due_at) where task_due_at is not null`,
      sql`create index agenda_by_check on agenda (check_due_at) where check_due_at is not null`,
      sql`create index agenda_by_owner on agenda (owner) where owner is not null`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
