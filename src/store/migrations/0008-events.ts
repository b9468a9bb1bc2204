import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './is-postgres.ts';

/**
 * What happened leaves the outbox for one log, with numbers that have no gaps. Servers of the version before go on writing to the
 * outbox; of what was there they see no more in their own lists.
 */
export const events: Migration = {
  async up(db: Kysely<unknown>) {
    const ordered = isPostgres(db) ? sql`text collate "C"` : sql`text`;
    const statements = [
      sql`alter table outbox add column operation text`,
      // It is only a way station by now: nobody looks anything up in it.
      sql`drop index outbox_by_subject`,
      sql`drop index outbox_by_actor`,
      sql`drop index outbox_by_time`,
      sql`create table log (
        id bigint primary key,
        type text not null,
        subject text not null,
        actor text not null,
        address text not null,
        request_id text not null,
        at ${ordered} not null,
        cluster text,
        host text,
        operation text,
        data_json text not null,
        hash text not null
      )`,
      sql`create index log_by_subject on log (subject, id)`,
      // Most of it the service does by itself.
      sql`create index log_by_actor on log (actor, id) where actor <> ''`,
      sql`create index log_by_time on log (at)`,
      sql`create table log_state (
        id integer primary key check (id = 1),
        last_id bigint not null,
        last_hash text not null,
        first_id bigint not null,
        first_readable_id bigint not null,
        prune_point_json text
      )`,
      sql`insert into log_state (id, last_id, last_hash, first_id, first_readable_id) values (1, 0, '', 1, 1)`,
      sql`create table log_keys (
        id integer primary key check (id = 1),
        sealed_key text not null
      )`,
      sql`create table cluster_statuses (
        cluster ${ordered} primary key,
        status text not null
      )`,
      sql`create table webhooks (
        name ${ordered} primary key,
        sealed_url text not null,
        sealed_secret text not null,
        events_json text not null,
        revision text not null,
        created_at text not null,
        position bigint not null,
        attempts integer not null default 0,
        due_at bigint not null default 0,
        failing_since bigint,
        problem text not null default '',
        disabled_at text,
        delivered_id bigint,
        delivered_at text,
        busy_until bigint not null default 0,
        fence bigint not null default 0
      )`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
