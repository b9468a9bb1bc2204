import type { Kysely } from 'kysely';
import type { Signal } from '../../domain/events/signal.ts';
import type { SqlEngine } from '../sql-session.ts';
import { LockOrder, Repository } from '../sql-session.ts';
import type { Tables } from '../tables/tables.ts';
import { AccountRepository } from './accounts/accounts.ts';
import { EnrolmentTokenRepository } from './accounts/enrolment-tokens.ts';
import { LoginSessionRepository, SignInNetworkRepository } from './accounts/login-sessions.ts';
import { ClusterPolicyRepository, ClusterRepository, ClusterStatusRepository } from './clusters.ts';
import { DataKeyRepository } from './data-keys.ts';
import { DriverMemoryRepository, DriverRecordRepository } from './driver-records.ts';
import { EventLogRepository, LogKeyRepository } from './events/event-log.ts';
import { OutboxRepository } from './events/outbox.ts';
import { WebhookRepository } from './events/webhooks.ts';
import { HealthCheckRepository } from './hosts/health-checks.ts';
import { HostAccessRepository } from './hosts/host-access.ts';
import { HostLabelRepository } from './hosts/host-labels.ts';
import { SourcedHostRepository, SourceRefreshRepository } from './hosts/host-sources.ts';
import { HostRepository } from './hosts/hosts.ts';
import { IdempotencyKeyRepository } from './operations/idempotency-keys.ts';
import { OperationHostRepository } from './operations/operation-hosts.ts';
import { OperationOutputRepository } from './operations/operation-output.ts';
import { OperationRepository } from './operations/operations.ts';
import { RolloutSnapshotRepository } from './operations/rollout-snapshots.ts';
import { RestoreRepository } from './restore.ts';
import { SealedRowRepository } from './sealed-rows.ts';
import { ServiceFlagRepository, ServiceKeyRepository } from './service.ts';
import { OverviewRepository, StatisticsRepository } from './statistics.ts';
import { ClaimRepository } from './tasks/claims.ts';
import { HostQueueRepository } from './tasks/host-queue.ts';
import { ServerRepository } from './tasks/servers.ts';
import { TaskRepository } from './tasks/tasks.ts';

/** All repositories of one transaction. Rows must be locked in the order of `LockOrder`. */
export class Repositories extends Repository {
  readonly accounts = new AccountRepository(this.session);
  readonly claims = new ClaimRepository(this.session);
  readonly clusterPolicies = new ClusterPolicyRepository(this.session);
  readonly clusterStatuses = new ClusterStatusRepository(this.session);
  readonly clusters = new ClusterRepository(this.session);
  readonly dataKeys = new DataKeyRepository(this.session);
  readonly driverMemory = new DriverMemoryRepository(this.session);
  readonly driverRecords = new DriverRecordRepository(this.session);
  readonly enrolmentTokens = new EnrolmentTokenRepository(this.session);
  readonly eventLog = new EventLogRepository(this.session);
  readonly healthChecks = new HealthCheckRepository(this.session);
  readonly hostAccess = new HostAccessRepository(this.session);
  readonly hostLabels = new HostLabelRepository(this.session);
  readonly hostQueue = new HostQueueRepository(this.session);
  readonly hosts = new HostRepository(this.session);
  readonly idempotencyKeys = new IdempotencyKeyRepository(this.session);
  readonly logKeys = new LogKeyRepository(this.session);
  readonly loginSessions = new LoginSessionRepository(this.session);
  readonly operationHosts = new OperationHostRepository(this.session);
  readonly operationOutput = new OperationOutputRepository(this.session);
  readonly operations = new OperationRepository(this.session);
  readonly outbox = new OutboxRepository(this.session);
  readonly overview = new OverviewRepository(this.session);
  readonly restore = new RestoreRepository(this.session);
  readonly rolloutSnapshots = new RolloutSnapshotRepository(this.session);
  readonly sealedRows = new SealedRowRepository(this.session);
  readonly servers = new ServerRepository(this.session);
  readonly serviceFlags = new ServiceFlagRepository(this.session);
  readonly serviceKey = new ServiceKeyRepository(this.session);
  readonly signInNetworks = new SignInNetworkRepository(this.session);
  readonly sourceRefreshes = new SourceRefreshRepository(this.session);
  readonly sourcedHosts = new SourcedHostRepository(this.session);
  readonly statistics = new StatisticsRepository(this.session);
  readonly tasks = new TaskRepository(this.session);
  readonly webhooks = new WebhookRepository(this.session);

  constructor(db: Kysely<Tables>, engine: SqlEngine) {
    super({ db, engine, lockOrder: new LockOrder(), signals: new Set() });
  }

  get signals(): Set<Signal> {
    return this.session.signals;
  }

  /** Milliseconds since 1970, from the clock that all servers of the store share. */
  nowMs(): Promise<number> {
    return this.session.engine.nowMs(this.db);
  }
}

/** Methods with these names must not write or lock. */
type ReadMethod = `${'are' | 'count' | 'find' | 'get' | 'has' | 'is' | 'list' | 'read'}${string}`;

type ReadableName = Exclude<keyof Repositories, 'nowMs' | 'sealedRows' | 'signals'>;

/** Reads outside a transaction. Each sees the committed data of its own moment. */
export type ReadRepositories = Pick<Repositories, 'nowMs'> & {
  readonly [Name in ReadableName]: Pick<Repositories[Name], Extract<keyof Repositories[Name], ReadMethod>>;
};
