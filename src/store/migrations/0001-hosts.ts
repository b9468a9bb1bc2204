import { sql } from 'kysely';
import type { ColumnTypes } from './sql-dialect.ts';

/**
 * The JSON of a host in a list, stored next to its columns: joining such texts takes a third of the time of
 * reading the columns and encoding JSON. No column contains a character that JSON escapes: they are
 * addresses, enum values, integers and times.
 */
const ENTRY_JSON = sql`
  '{"address":"' || address || '","status":"' || status || '","os":"' || os || '","cpus":' || cast(cpus as text) ||
  ',"memory":' || cast(memory_kib as text) || ',"space":' || cast(space_kib as text) ||
  ',"last_check":"' || last_check || '"}'`;

/**
 * Hosts, the refreshes of their sources, their tasks and checks, and the servers that run these. For a host
 * with a source, the fact columns contain the displayed values, so that lists and filters do not depend on
 * sources. `host_facts_json` contains the facts that the host itself reported.
 */
export const hostTables = ({ ordered, identity }: ColumnTypes) => [
  sql`create table hosts (
    address text primary key,
    sort_key ${ordered} not null unique,
    enrolment text not null,
    status text not null,
    status_since text not null default '',
    reason text not null,
    hostname text not null default '',
    boot_id text not null default '',
    os text not null,
    os_driver text not null default '',
    os_version text not null default '',
    kernel text not null default '',
    architecture text not null default '',
    boots integer not null default 0,
    booted_at text not null default '',
    cpus integer not null,
    memory_kib bigint not null,
    space_kib bigint not null,
    last_check text not null,
    check_history text not null default '',
    cluster ${ordered} references clusters (name),
    registered_with text,
    in_maintenance integer not null default 0,
    maintenance_reason text not null default '',
    maintenance_since text not null default '',
    source text not null,
    host_facts_json text,
    source_facts_json text,
    source_read_at bigint,
    is_source_read integer not null default 0,
    entry_json text not null generated always as (${ENTRY_JSON}) stored
  )`,
  sql`create index hosts_by_cluster_status on hosts (cluster, status, in_maintenance)`,
  sql`create index hosts_by_cluster_order on hosts (cluster, sort_key)`,
  sql`create index hosts_by_status on hosts (status, sort_key)`,
  sql`create index hosts_by_hostname on hosts (lower(hostname))`,
  sql`create index hosts_by_source on hosts (source, sort_key) where source <> ''`,
  // Uses a separate column: PostgreSQL adds a row to every index again if a value changes that one of them depends on.
  sql`create index hosts_unread_by_source on hosts (source, sort_key) where source <> '' and is_source_read = 0`,
  sql`create table host_access (
    host text primary key references hosts (address),
    remote_user text not null,
    ssh_port integer not null,
    ssh_priv_key text not null,
    host_keys_json text not null,
    pending_host_key text,
    transport text not null default '',
    enrolled_by_token text
  )`,
  sql`create table host_labels (
    host text not null references hosts (address),
    key ${ordered} not null,
    value ${ordered} not null,
    primary key (host, key)
  )`,
  sql`create index host_labels_by_key_value on host_labels (key, value, host)`,
  sql`create table source_refreshes (
    source ${ordered} primary key,
    due_at bigint not null,
    started_at bigint not null default 0,
    claimed_until bigint not null default 0,
    fence bigint not null default 0,
    problem text not null default ''
  )`,
  sql`create table servers (
    incarnation text primary key,
    lease_expires_at bigint not null,
    boot_id text not null default '',
    partitioned_since bigint
  )`,
  sql`create table host_queue (
    host text primary key,
    check_offset integer not null,
    task_due_at bigint,
    check_due_at bigint,
    facts_due_at bigint not null default 0,
    check_failures integer not null default 0,
    owner text,
    fence bigint not null default 0,
    responded_at bigint not null default 0,
    failing_since bigint,
    failed_at bigint not null default 0,
    contact_failures integer not null default 0
  )`,
  sql`create index host_queue_by_task_due_at on host_queue (task_due_at) where task_due_at is not null`,
  sql`create index host_queue_by_check_due_at on host_queue (check_due_at) where check_due_at is not null`,
  sql`create index host_queue_by_owner on host_queue (owner) where owner is not null`,
  sql`create index host_queue_failing_by_host on host_queue (host) where failing_since is not null`,
  sql`create table tasks (
    id ${identity},
    kind text not null,
    host text not null,
    enrolment text not null,
    operation text,
    details_json text not null,
    state_json text not null default '{}',
    due_at bigint not null default 0
  )`,
  sql`create index tasks_by_host on tasks (host, id)`,
  sql`create index tasks_by_operation on tasks (operation, host) where operation is not null`,
];
