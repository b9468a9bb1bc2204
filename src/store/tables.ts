import type { ColumnType, Generated } from 'kysely';
import type { Address } from '../domain/address.ts';
import type { HostLine } from '../domain/host.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { Pause } from '../domain/rolling/operation.ts';
import type { Sealed } from '../domain/secret.ts';
import type {
  AuditType,
  DriverRecordKind,
  HostPhase,
  HostStatus,
  OperationKind,
  OperationState,
  Role,
  SkipReason,
} from '../domain/vocabulary.ts';
import type { Work } from '../domain/work.ts';

// The tables as `migrations/` make them. Columns are snake_case; repositories translate. Times are text as on the wire;
// columns that hold JSON say so.

export interface Tables {
  accounts: AccountsTable;
  agenda: AgendaTable;
  cluster_policies: ClusterPoliciesTable;
  clusters: ClustersTable;
  data_keys: DataKeysTable;
  driver_memory: DriverMemoryTable;
  driver_records: DriverRecordsTable;
  host_access: HostAccessTable;
  host_labels: HostLabelsTable;
  hosts: HostsTable;
  idempotency_keys: IdempotencyKeysTable;
  operation_hosts: OperationHostsTable;
  operation_output: OperationOutputTable;
  operations: OperationsTable;
  outbox: OutboxTable;
  servers: ServersTable;
  service_identity: ServiceIdentityTable;
  switches: SwitchesTable;
  work: WorkTable;
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
interface AgendaTable {
  host: Address;
  /** Where in the interval its checks are, in ten-thousandths. */
  phase: number;
  /** When its work goes on; null: there is none. */
  work_due_at: number | null;
  /** When it is checked; null: it is not watched. */
  check_due_at: number | null;
  /** From when on a check asks for the facts. */
  facts_due_at: Generated<number>;
  /** Checks that failed one after the other. */
  failures: Generated<number>;
  /** The server incarnation that has it. */
  owner: string | null;
  /** Rises with every claim. */
  fence: Generated<number>;
}

interface ClusterPoliciesTable {
  cluster: RecordName;
  wish_json: string;
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

interface HostAccessTable {
  host: Address;
  remote_user: string;
  ssh_port: number;
  ssh_priv_key: Sealed;
  host_keys_json: string;
  transport: Generated<string>;
  /** The key that it showed instead of those; null: none. */
  offered_host_key: string | null;
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
  /** Made by the engine from the other columns. */
  listed_json: ColumnType<HostLine, never, never>;
}

/** What a request stands for that was made under a key. */
interface IdempotencyKeysTable {
  cluster: RecordName;
  key: string;
  operation: string;
}

interface OperationHostsTable {
  operation: string;
  host: Address;
  enrolment: string;
  position: number;
  is_control_plane: Generated<number>;
  phase: Generated<HostPhase>;
  is_staged: Generated<number>;
  is_unreachable: Generated<number>;
  unwanted: SkipReason | null;
  keeps_slot: Generated<number>;
  is_cordoned: Generated<number>;
  attempt: Generated<number>;
  skip_reason: SkipReason | null;
  is_already_there: Generated<number>;
  problem: Generated<string>;
  prepared_json: Generated<string>;
  phases_json: Generated<string>;
  started_at: string | null;
  finished_at: string | null;
}

/** The end of what each step has said. */
interface OperationOutputTable {
  operation: string;
  host: Address;
  attempt: number;
  step: string;
  output: string;
  last_lines: string;
  at: string;
}

interface OperationsTable {
  /** Newer ones have higher numbers. */
  number: Generated<number>;
  id: string;
  kind: OperationKind;
  cluster: RecordName;
  version: string;
  policy_json: string;
  /** What was asked for, as it was asked. */
  wish_json: string;
  state: OperationState;
  pause: Pause | null;
  problem: Generated<string>;
  planned: number;
  forgiven_failures: Generated<number>;
  waiting_since: number | null;
  ignored_json: Generated<string>;
  started_by: string;
  started_at: string;
  finished_at: string | null;
  is_open: number;
  /** Its cluster was removed; one of the same name is another. */
  is_former: Generated<number>;
  /** When it is to be looked at, in milliseconds of the store's clock. */
  due_at: number | null;
}

interface OutboxTable {
  id: Generated<number>;
  type: AuditType;
  subject: string;
  actor: string;
  address: string;
  request_id: string;
  at: string;
  cluster: string | null;
  host: string | null;
  data_json: string;
}

interface ServersTable {
  incarnation: string;
  /** Milliseconds of the store's clock. */
  alive_until: number;
  /** Of the machine that it runs on; `''`: not known. */
  boot_id: Generated<string>;
}

interface ServiceIdentityTable {
  id: number;
  public_key: string;
  private_key: Sealed;
}

/** What people have switched on for the whole service. */
interface SwitchesTable {
  name: 'hold';
  is_on: number;
}

interface WorkTable {
  id: Generated<number>;
  kind: Work['kind'];
  host: Address;
  enrolment: string;
  /** The one that it belongs to; null: none. */
  operation: string | null;
  details_json: string;
  progress_json: Generated<string>;
  /** Milliseconds of the store's clock: not before. */
  due_at: Generated<number>;
  saved_at: string;
}
