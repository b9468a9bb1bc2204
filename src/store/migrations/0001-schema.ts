import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { eventTables } from './0001-events.ts';
import { hostTables } from './0001-hosts.ts';
import { operationTables } from './0001-operations.ts';
import type { ColumnTypes } from './sql-dialect.ts';
import { columnTypesFor } from './sql-dialect.ts';

const secretTables = () => [
  sql`create table data_keys (
    position integer primary key,
    id text not null unique,
    wrapped text not null
  )`,
  sql`create table service_identity (
    id integer primary key check (id = 1),
    public_key text not null,
    private_key text not null
  )`,
];

const accountTables = ({ ordered }: ColumnTypes) => [
  sql`create table accounts (
    name ${ordered} primary key,
    role text not null,
    password_hash text not null,
    revision text not null,
    created_at text not null,
    changed_at text not null
  )`,
  sql`create table sessions (
    id text primary key,
    secret_digest text not null unique,
    account text not null,
    account_revision text not null,
    created_at text not null,
    expires_at text not null,
    confirmed_at text
  )`,
  sql`create index sessions_by_account on sessions (account, created_at)`,
  sql`create index sessions_by_expires_at on sessions (expires_at)`,
  sql`create table sign_in_networks (
    network text primary key,
    last_at bigint not null
  )`,
  sql`create index sign_in_networks_by_last_at on sign_in_networks (last_at)`,
  sql`create table enrolment_tokens (
    name ${ordered} primary key,
    id text not null,
    secret_digest text not null unique,
    cluster text,
    cidr text,
    uses integer not null,
    used integer not null,
    created_at text not null,
    expires_at text not null
  )`,
];

const driverTables = ({ ordered }: ColumnTypes) => [
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
];

const clusterTables = ({ ordered }: ColumnTypes) => [
  sql`create table clusters (
    name ${ordered} primary key,
    network ${ordered} not null,
    container_manager ${ordered},
    revision text not null
  )`,
  sql`create index clusters_by_network on clusters (network)`,
  sql`create index clusters_by_container_manager on clusters (container_manager)`,
  sql`create table cluster_policies (
    cluster ${ordered} primary key references clusters (name) on delete cascade,
    policy_input_json text not null
  )`,
  sql`create table cluster_statuses (
    cluster ${ordered} primary key,
    status text not null
  )`,
];

/** The schema of the first release. `tables/` describes the columns. */
export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    const types = columnTypesFor(db);
    const statements = [
      ...secretTables(),
      ...accountTables(types),
      ...driverTables(types),
      ...clusterTables(types),
      ...hostTables(types),
      ...operationTables(types),
      ...eventTables(types),
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
