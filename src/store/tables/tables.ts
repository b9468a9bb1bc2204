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

// The tables as `migrations/` make them. Columns are snake_case; repositories translate. Times are text as on the wire;
// columns that hold JSON say so.

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

/** One row for each host that is to be looked at. Times in it are milliseconds of the store's clock. */
interface HostQueueTable {
  host: Address;
  /** Offset of its checks within the check interval, in ten-thousandths. */
  check_offset: number;
  /** When its work goes on; null: there is none. */
  task_due_at: number | null;
  /** When it is checked; null: it is not watched. */
  check_due_at: number | null;
  /** From when on a check asks for the facts. */
  facts_due_at: Generated<number>;
  /** Checks that failed one after the other. */
  check_failures: Generated<number>;
  /** The server incarnation that has it. */
  owner: string | null;
  /** Rises with every claim. */
  fence: Generated<number>;
  /** When the host last answered a check or a step; 0: never. */
  answered_at: Generated<number>;
  /** When the first contact failed since the host last answered; null: the last contact succeeded. */
  silent_since: number | null;
  /** When a contact last failed; 0: never. */
  failed_at: Generated<number>;
  /** How many contacts failed in a row, each soon after the one before. */
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
  /** Empty: the service's own identity is used. */
  ssh_priv_key: Sealed | '';
  host_keys_json: string;
  transport: Generated<string>;
  /** The key that it showed instead of those; null: none. */
  pending_host_key: string | null;
  /** The id of an enrolment token; null: none has let it in. */
  enrolled_by_token: string | null;
}

interface HostLabelsTable {
  host: Address;
  key: string;
  value: string;
}

interface HostsTable {
  address: Address;
  /** Orders as text by the address's numeric value. */
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
  /** Since when it has its status, and is in maintenance; `''`: not known. */
  status_since: Generated<string>;
  maintenance_since: Generated<string>;
  /** What it says of itself where the columns above hold what its source tells; null: they hold its own. */
  host_facts_json: string | null;
  /** What its source told of it the last time; null: nothing. */
  source_facts_json: string | null;
  /** When its source was asked for it, in milliseconds of the store's clock; null: never. */
  source_read_at: number | null;
  /** Whether it ever was. */
  is_source_read: Generated<number>;
  /** The last of them, as `domain/health-check.ts` writes them. */
  check_history: Generated<string>;
  /** Made by the engine from the other columns. */
  entry_json: ColumnType<HostEntryJson, never, never>;
}

interface ServersTable {
  incarnation: string;
  /** Milliseconds of the store's clock. */
  lease_expires_at: number;
  /** Of the machine that it runs on; `''`: not known. */
  boot_id: Generated<string>;
  /** Since when it cannot reach most hosts; null: it can. */
  partitioned_since: number | null;
}

interface ServiceIdentityTable {
  id: number;
  public_key: string;
  private_key: Sealed;
}

/** Of people who have signed in to the dashboard. */
interface SessionsTable {
  id: string;
  secret_digest: string;
  account: RecordName;
  account_revision: string;
  created_at: string;
  expires_at: string;
  confirmed_at: string | null;
}

/** Networks with sign-ins by password. Times are milliseconds of the store's clock. */
interface SignInNetworksTable {
  network: string;
  last_at: number;
}

/** One row for each host source that was ever read. Times in it are milliseconds of the store's clock. */
interface SourceRefreshesTable {
  source: string;
  /** When all of its hosts are asked for again. */
  due_at: number;
  /** When that was begun the last time. */
  started_at: Generated<number>;
  /** Until when a server has it; 0: none. */
  claimed_until: Generated<number>;
  /** Rises with every server that takes it. */
  fence: Generated<number>;
  /** Why it could not be read the last time; empty: it could. */
  problem: Generated<string>;
}

interface TasksTable {
  id: Generated<number>;
  kind: Task['kind'];
  host: Address;
  enrolment: string;
  /** The one that it belongs to; null: none. */
  operation: string | null;
  details_json: string;
  state_json: Generated<string>;
  /** Milliseconds of the store's clock: not before. */
  due_at: Generated<number>;
}
