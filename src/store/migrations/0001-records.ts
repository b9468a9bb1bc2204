import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './is-postgres.ts';

export const records: Migration = {
  async up(db: Kysely<unknown>) {
    // Compared by code point on both engines.
    const ordered = isPostgres(db) ? sql`text collate "C"` : sql`text`;
    const id = isPostgres(db)
      ? sql`bigint generated always as identity primary key`
      : sql`integer primary key autoincrement`;

    const statements = [
      sql`create table data_keys (
        position integer primary key,
        id text not null unique,
        wrapped text not null
      )`,
      sql`create table accounts (
        name ${ordered} primary key,
        role text not null,
        password_hash text not null,
        revision text not null,
        created_at text not null,
        changed_at text not null
      )`,
      sql`create table driver_records (
        kind text not null,
        name ${ordered} not null,
        type text not null,
        options_json text not null,
        sealed_options_json text not null,
        revision text not null,
        primary key (kind, name)
      )`,
      sql`create table driver_memory (
        scope text not null,
        key text not null,
        value text not null,
        primary key (scope, key)
      )`,
      sql`create table clusters (
        name ${ordered} primary key,
        network ${ordered} not null,
        container_manager ${ordered},
        revision text not null
      )`,
      sql`create index clusters_by_network on clusters (network)`,
      sql`create index clusters_by_container_manager on clusters (container_manager)`,
      sql`create table hosts (
        address text primary key,
        sort_key ${ordered} not null unique,
        enrolment text not null,
        status text not null,
        reason text not null,
        os text not null,
        cpus integer not null,
        memory_kib bigint not null,
        space_kib bigint not null,
        last_check text not null,
        source text not null,
        cluster ${ordered} references clusters (name)
      )`,
      sql`create index hosts_by_cluster on hosts (cluster, status)`,
      sql`create index hosts_by_cluster_order on hosts (cluster, sort_key)`,
      sql`create table host_access (
        host text primary key references hosts (address),
        remote_user text not null,
        ssh_port integer not null,
        ssh_priv_key text not null,
        host_keys_json text not null
      )`,
      sql`create table work (
        id ${id},
        kind text not null,
        host text not null,
        enrolment text not null,
        details_json text not null,
        saved_at text not null
      )`,
      sql`create index tasks_by_host on work (host, id)`,
      sql`create table outbox (
        id ${id},
        type text not null,
        subject text not null,
        actor text not null,
        address text not null,
        request_id text not null,
        at ${ordered} not null,
        cluster text,
        host text,
        data_json text not null
      )`,
      sql`create index outbox_by_subject on outbox (subject, id)`,
      sql`create index outbox_by_actor on outbox (actor, id)`,
      sql`create index outbox_by_time on outbox (at)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
