import type { ColumnType, Generated } from 'kysely';
import type { Address } from '../../domain/addresses/address.ts';
import type { Cidr } from '../../domain/addresses/cidr.ts';
import type { HostEntryJson } from '../../domain/hosts/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Sealed } from '../../domain/secret.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { DriverRecordKind, HostStatus, Role } from '../../domain/vocabulary.ts';
import type {
  ClusterStatusesTable,
  LogKeysTable,
  LogStateTable,
  LogTable,
  OutboxTable,
  WebhooksTable,
} from './event-tables.ts';
import type {
  ClusterPoliciesTable,
  IdempotencyKeysTable,
  OperationHostsTable,
  OperationOutputTable,
  OperationsTable,
  ServiceFlagsTable,
} from './operation-tables.ts';

// The tables that `migrations/` create. Text times have the format of the API. Columns with JSON end in
// `_json`.

export interface Tables {
  accounts: AccountsTable;
  cluster_policies: ClusterPoliciesTable;
  cluster_statuses: ClusterStatusesTable;
  clusters: ClustersTable;
  data_keys: DataKeysTable;
  driver_memory: DriverMemoryTable;
  driver_records: DriverRecordsTable;
  enrolment_tokens: EnrolmentTokensTable;
  host_access: HostAccessTable;
  host_labels: HostLabelsTable;
  host_queue: HostQueueTable;
  hosts: HostsTable;
  idempotency_keys: IdempotencyKeysTable;
  log: LogTable;
  log_keys: LogKeysTable;
  log_state: LogStateTable;
  operation_hosts: OperationHostsTable;
  operation_output: OperationOutputTable;
  operations: OperationsTable;
  outbox: OutboxTable;
  servers: ServersTable;
  service_flags: ServiceFlagsTable;
  service_identity: ServiceIdentityTable;
  sessions: SessionsTable;
  sign_in_networks: SignInNetworksTable;
  source_refreshes: SourceRefreshesTable;
  tasks: TasksTable;
  webhooks: WebhooksTable;
}

interface AccountsTable {
  name: RecordName;
  role: Role;
  password_hash: string;
  revision: string;
  created_at: string;
  changed_at: string;
}

/** One row for each host with tasks or checks. Times are milliseconds of the store's clock. */
interface HostQueueTable {
  host: Address;
  /** Offset of its checks within the check interval, in ten-thousandths. */
  check_offset: number;
  /** When its next task runs. Null: it has no task. */
  task_due_at: number | null;
  /** Null: the host is not monitored. */
  check_due_at: number | null;
  /** Checks after this time also read the facts. */
  facts_due_at: Generated<number>;
  /** Consecutive failed checks. */
  check_failures: Generated<number>;
  /** The server incarnation that has claimed the host. */
  owner: string | null;
  /** Increases with every claim. */
  fence: Generated<number>;
  /** When the host last responded to a check or a step; 0: never. */
  answered_at: Generated<number>;
  /** When the first contact failed since the last response. Null: the last contact succeeded. */
  silent_since: number | null;
  /** 0: never. */
  failed_at: Generated<number>;
  /** Consecutive failed contacts, each shortly after the previous one. */
  recent_failures: Generated<number>;
}

interface ClustersTable {
  name: RecordName;
  network: RecordName;
  container_manager: RecordName | null;
  revision: string;
}

interface DataKeysTable {
  position: number;
  id: string;
  wrapped: string;
}

interface DriverMemoryTable {
  scope: string;
  key: string;
  value: string;
}

interface DriverRecordsTable {
  kind: DriverRecordKind;
  name: RecordName;
  type: string;
  options_json: string;
  sealed_options_json: string;
  revision: string;
}

interface EnrolmentTokensTable {
  name: RecordName;
  id: string;
  secret_digest: string;
  cluster: RecordName | null;
  cidr: Cidr | null;
  uses: number;
  used: number;
  created_at: string;
  expires_at: string;
}

interface HostAccessTable {
  host: Address;
  remote_user: string;
  ssh_port: number;
  /** Empty: the key of the service is used. */
  ssh_priv_key: Sealed | '';
  host_keys_json: string;
  transport: Generated<string>;
  /** An unknown key that the host presented. Null: none. */
  pending_host_key: string | null;
  /** The id of an enrolment token. Null: the host was enrolled without one. */
  enrolled_by_token: string | null;
}

interface HostLabelsTable {
  host: Address;
  key: string;
  value: string;
}

interface HostsTable {
  address: Address;
  /** Text that sorts by the numeric value of the address. */
  sort_key: string;
  enrolment: string;
  status: HostStatus;
  reason: string;
  os: string;
  cpus: number;
  memory_kib: number;
  space_kib: number;
  last_check: string;
  source: string;
  cluster: RecordName | null;
  hostname: Generated<string>;
  boot_id: Generated<string>;
  os_driver: Generated<string>;
  registered_with: RecordName | null;
  in_maintenance: Generated<number>;
  maintenance_reason: Generated<string>;
  /** `''`: unknown. */
  status_since: Generated<string>;
  maintenance_since: Generated<string>;
  /**
   * The facts that the host reported, if the columns above contain those of its source. Null: the columns
   * contain the host's own facts.
   */
  host_facts_json: string | null;
  /** The last facts from its source. Null: none. */
  source_facts_json: string | null;
  /** When the source was last read for this host, in milliseconds of the store's clock. Null: never. */
  source_read_at: number | null;
  is_source_read: Generated<number>;
  /** The results of the last checks, as `domain/health-check.ts` encodes them. */
  check_history: Generated<string>;
  /** Generated by the database from the other columns. */
  entry_json: ColumnType<HostEntryJson, never, never>;
}

interface ServersTable {
  incarnation: string;
  /** Milliseconds of the store's clock. */
  lease_expires_at: number;
  /** Of the machine of the server; `''`: unknown. */
  boot_id: Generated<string>;
  /** Since when the server cannot reach most hosts. Null: it can. */
  partitioned_since: number | null;
}

interface ServiceIdentityTable {
  id: number;
  public_key: string;
  private_key: Sealed;
}

/** Sessions of the dashboard. */
interface SessionsTable {
  id: string;
  secret_digest: string;
  account: RecordName;
  account_revision: string;
  created_at: string;
  expires_at: string;
  confirmed_at: string | null;
}

/** Networks of recent password logins. Times are milliseconds of the store's clock. */
interface SignInNetworksTable {
  network: string;
  last_at: number;
}

/** One row for each host source that was ever read. Times are milliseconds of the store's clock. */
interface SourceRefreshesTable {
  source: string;
  /** When all hosts of the source are read again. */
  due_at: number;
  /** When the last refresh started. */
  started_at: Generated<number>;
  /** 0: not claimed. */
  claimed_until: Generated<number>;
  /** Increases with every claim. */
  fence: Generated<number>;
  /** Why the last refresh failed; empty: it succeeded. */
  problem: Generated<string>;
}

interface TasksTable {
  id: Generated<number>;
  kind: Task['kind'];
  host: Address;
  enrolment: string;
  /** The operation of the task. Null: none. */
  operation: string | null;
  details_json: string;
  state_json: Generated<string>;
  /** Earliest time of the next run, in milliseconds of the store's clock. */
  due_at: Generated<number>;
}
