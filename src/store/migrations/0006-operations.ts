import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './is-postgres.ts';

export const operations: Migration = {
  async up(db: Kysely<unknown>) {
    const ordered = isPostgres(db) ? sql`text collate "C"` : sql`text`;
    const number = isPostgres(db)
      ? sql`bigint generated always as identity primary key`
      : sql`integer primary key autoincrement`;
    const statements = [
      sql`create table operations (
        number ${number},
        id ${ordered} not null unique,
        kind text not null,
        cluster ${ordered} not null,
        version text not null,
        policy_json text not null,
        policy_input_json text not null,
        state text not null,
        pause text,
        problem text not null default '',
        planned integer not null,
        acknowledged_failures integer not null default 0,
        blocked_since bigint,
        ignored_hosts_json text not null default '[]',
        started_by text not null,
        started_at ${ordered} not null,
        finished_at ${ordered},
        is_open integer not null,
        is_cluster_deleted integer not null default 0,
        due_at bigint
      )`,
      sql`create unique index operations_open_by_cluster on operations (cluster) where is_open = 1`,
      sql`create index operations_due on operations (due_at) where is_open = 1`,
      sql`create index operations_of_cluster on operations (cluster, kind, number)`,
      sql`create index operations_ended on operations (finished_at) where finished_at is not null`,
      sql`create table operation_hosts (
        operation ${ordered} not null,
        host text not null,
        enrolment text not null,
        position integer not null,
        is_control_plane integer not null default 0,
        phase text not null default 'pending',
        is_staged integer not null default 0,
        is_unreachable integer not null default 0,
        unwanted text,
        holds_slot integer not null default 0,
        is_cordoned integer not null default 0,
        attempt integer not null default 1,
        skip_reason text,
        was_noop integer not null default 0,
        problem text not null default '',
        stage_result_json text not null default '{}',
        phases_json text not null default '[]',
        started_at text,
        finished_at text,
        primary key (operation, host)
      )`,
      sql`create index operation_hosts_by_phase on operation_hosts (operation, phase, is_staged, is_control_plane, position)`,
      sql`create index operation_hosts_in_order on operation_hosts (operation, position)`,
      sql`create table operation_output (
        operation ${ordered} not null,
        host text not null,
        attempt integer not null,
        step text not null,
        output text not null,
        last_lines text not null,
        at text not null,
        primary key (operation, host, attempt, step)
      )`,
      sql`create table idempotency_keys (
        cluster ${ordered} not null,
        key text not null,
        operation ${ordered} not null,
        primary key (cluster, key)
      )`,
      sql`create index idempotency_keys_by_operation on idempotency_keys (operation)`,
      sql`create table cluster_policies (
        cluster ${ordered} primary key references clusters (name) on delete cascade,
        policy_input_json text not null
      )`,
      sql`create table switches (
        name text primary key,
        is_on integer not null
      )`,
      sql`alter table work add column operation text`,
      sql`create index tasks_by_operation on work (operation, host) where operation is not null`,
      sql`alter table servers add column boot_id text not null default ''`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
