import { sql } from 'kysely';
import type { ColumnTypes } from './sql-dialect.ts';

const NO_UPDATE = 'event log rows cannot be updated';
const NO_DELETE = 'event log rows can only be deleted by pruning';

const SQLITE_TRIGGERS = [
  sql`create trigger log_no_update before update on log
    begin select raise(abort, ${sql.lit(NO_UPDATE)}); end`,
  sql`create trigger log_no_delete before delete on log
    when old.id >= (select first_id from log_state)
    begin select raise(abort, ${sql.lit(NO_DELETE)}); end`,
];

const POSTGRES_TRIGGERS = [
  sql`create function reject_log_change() returns trigger language plpgsql as $$
    begin raise exception '%', tg_argv[0]; end $$`,
  sql`create function reject_log_delete() returns trigger language plpgsql as $$
    begin
      if old.id >= (select first_id from log_state) then raise exception '%', tg_argv[0]; end if;
      return old;
    end $$`,
  sql`create trigger log_no_update before update on log
    for each statement execute function reject_log_change(${sql.lit(NO_UPDATE)})`,
  sql`create trigger log_no_truncate before truncate on log
    for each statement execute function reject_log_change(${sql.lit(NO_DELETE)})`,
  sql`create trigger log_no_delete before delete on log
    for each row execute function reject_log_delete(${sql.lit(NO_DELETE)})`,
];

/**
 * Events go through the outbox into the log, whose ids have no gaps. Log entries are only appended, and
 * pruned at the start. The triggers protect the log against bugs and manual SQL. The owner of the database
 * can drop them; the hash chain then reveals any change.
 */
export const eventTables = ({ isPostgres, ordered, identity }: ColumnTypes) => [
  sql`create table outbox (
    id ${identity},
    type text not null,
    subject text not null,
    actor text not null,
    address text not null,
    request_id text not null,
    at ${ordered} not null,
    cluster text,
    host text,
    operation text,
    data_json text not null
  )`,
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
  // The service itself is the actor of most entries.
  sql`create index log_by_actor on log (actor, id) where actor <> ''`,
  // Few of many entries: most are results of health checks.
  sql`create index log_by_request on log (id) where request_id <> ''`,
  sql`create index log_by_at on log (at)`,
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
  ...(isPostgres ? POSTGRES_TRIGGERS : SQLITE_TRIGGERS),
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
    claimed_until bigint not null default 0,
    fence bigint not null default 0
  )`,
];
