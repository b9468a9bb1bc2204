import type { Kysely } from 'kysely';
import { AccountRepository } from './repositories/accounts.ts';
import { ClusterRepository } from './repositories/clusters.ts';
import { DataKeyRepository } from './repositories/data-keys.ts';
import { DriverMemoryRepository } from './repositories/driver-memory.ts';
import { DriverRecordRepository } from './repositories/driver-records.ts';
import { HostAccessRepository } from './repositories/host-access.ts';
import { HostRepository } from './repositories/hosts.ts';
import { OutboxRepository } from './repositories/outbox.ts';
import { WorkRepository } from './repositories/work.ts';
import type { Tables } from './tables.ts';
import type { EngineTraits } from './traits.ts';

/**
 * All repositories on one connection or transaction.
 * Whoever locks several rows does it in this order, so that nobody waits in a circle: driver records, clusters, hosts by address.
 */
export class Records {
  readonly accounts: AccountRepository;
  readonly clusters: ClusterRepository;
  readonly dataKeys: DataKeyRepository;
  readonly driverMemory: DriverMemoryRepository;
  readonly driverRecords: DriverRecordRepository;
  readonly hostAccess: HostAccessRepository;
  readonly hosts: HostRepository;
  readonly outbox: OutboxRepository;
  readonly work: WorkRepository;

  constructor(db: Kysely<Tables>, traits: EngineTraits) {
    this.accounts = new AccountRepository(db, traits);
    this.clusters = new ClusterRepository(db, traits);
    this.dataKeys = new DataKeyRepository(db);
    this.driverMemory = new DriverMemoryRepository(db);
    this.driverRecords = new DriverRecordRepository(db, traits);
    this.hostAccess = new HostAccessRepository(db);
    this.hosts = new HostRepository(db, traits);
    this.outbox = new OutboxRepository(db);
    this.work = new WorkRepository(db);
  }
}
