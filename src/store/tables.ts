import type { ColumnType, Generated } from 'kysely';
import type { Address } from '../domain/address.ts';
import type { HostLine } from '../domain/host.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { Sealed } from '../domain/secret.ts';
import type { AuditType, DriverRecordKind, HostOs, HostStatus, Role } from '../domain/vocabulary.ts';
import type { Work } from '../domain/work.ts';

// The tables as `migrations/` make them. Columns are snake_case; repositories translate. Times are text as on the wire;
// columns that hold JSON say so.

export interface Tables {
  accounts: AccountsTable;
  clusters: ClustersTable;
  data_keys: DataKeysTable;
  driver_memory: DriverMemoryTable;
  driver_records: DriverRecordsTable;
  host_access: HostAccessTable;
  hosts: HostsTable;
  outbox: OutboxTable;
  service_identity: ServiceIdentityTable;
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
}

interface HostsTable {
  address: Address;
  /** Orders as text by the address's numeric value. */
  sort_key: string;
  enrolment: string;
  status: HostStatus;
  reason: string;
  os: HostOs;
  cpus: number;
  memory_kib: number;
  space_kib: number;
  last_check: string;
  source: string;
  cluster: RecordName | null;
  /** Made by the engine from the other columns. */
  listed_json: ColumnType<HostLine, never, never>;
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

interface ServiceIdentityTable {
  id: number;
  public_key: string;
  private_key: Sealed;
}

interface WorkTable {
  id: Generated<number>;
  kind: Work['kind'];
  host: Address;
  enrolment: string;
  details_json: string;
  saved_at: string;
}
