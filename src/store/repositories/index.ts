import type { Kysely } from 'kysely';
import type { Signal } from '../../domain/events/signal.ts';
import type { SqlEngine, SqlSession } from '../sql-session.ts';
import { LockOrder } from '../sql-session.ts';
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
import { InventoryRepository } from './hosts/inventory.ts';
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
export class Repositories {
  readonly accounts: AccountRepository;
  readonly hostQueue: HostQueueRepository;
  readonly claims: ClaimRepository;
  readonly clusterPolicies: ClusterPolicyRepository;
  readonly clusterStatuses: ClusterStatusRepository;
  readonly clusters: ClusterRepository;
  readonly dataKeys: DataKeyRepository;
  readonly driverMemory: DriverMemoryRepository;
  readonly driverRecords: DriverRecordRepository;
  readonly enrolmentTokens: EnrolmentTokenRepository;
  readonly statistics: StatisticsRepository;
  readonly hostAccess: HostAccessRepository;
  readonly healthChecks: HealthCheckRepository;
  readonly hostLabels: HostLabelRepository;
  readonly hosts: HostRepository;
  readonly idempotencyKeys: IdempotencyKeyRepository;
  readonly serviceKey: ServiceKeyRepository;
  readonly inventory: InventoryRepository;
  readonly eventLog: EventLogRepository;
  readonly logKeys: LogKeyRepository;
  readonly operationHosts: OperationHostRepository;
  readonly operationOutput: OperationOutputRepository;
  readonly operations: OperationRepository;
  readonly outbox: OutboxRepository;
  readonly overview: OverviewRepository;
  readonly restore: RestoreRepository;
  readonly rolloutSnapshots: RolloutSnapshotRepository;
  readonly sealedRows: SealedRowRepository;
  readonly servers: ServerRepository;
  readonly loginSessions: LoginSessionRepository;
  readonly signInNetworks: SignInNetworkRepository;
  readonly sourceRefreshes: SourceRefreshRepository;
  readonly serviceFlags: ServiceFlagRepository;
  readonly sourcedHosts: SourcedHostRepository;
  readonly webhooks: WebhookRepository;
  readonly tasks: TaskRepository;
  readonly #session: SqlSession;

  constructor(db: Kysely<Tables>, engine: SqlEngine) {
    const session: SqlSession = { db, engine, lockOrder: new LockOrder(), signals: new Set() };
    this.#session = session;
    this.accounts = new AccountRepository(session);
    this.hostQueue = new HostQueueRepository(session);
    this.claims = new ClaimRepository(session);
    this.clusterPolicies = new ClusterPolicyRepository(session);
    this.clusterStatuses = new ClusterStatusRepository(session);
    this.clusters = new ClusterRepository(session);
    this.dataKeys = new DataKeyRepository(session);
    this.driverMemory = new DriverMemoryRepository(session);
    this.driverRecords = new DriverRecordRepository(session);
    this.enrolmentTokens = new EnrolmentTokenRepository(session);
    this.statistics = new StatisticsRepository(session);
    this.hostAccess = new HostAccessRepository(session);
    this.healthChecks = new HealthCheckRepository(session);
    this.hostLabels = new HostLabelRepository(session);
    this.hosts = new HostRepository(session);
    this.idempotencyKeys = new IdempotencyKeyRepository(session);
    this.serviceKey = new ServiceKeyRepository(session);
    this.inventory = new InventoryRepository(session);
    this.eventLog = new EventLogRepository(session);
    this.logKeys = new LogKeyRepository(session);
    this.operationHosts = new OperationHostRepository(session);
    this.operationOutput = new OperationOutputRepository(session);
    this.operations = new OperationRepository(session);
    this.outbox = new OutboxRepository(session);
    this.overview = new OverviewRepository(session);
    this.restore = new RestoreRepository(session);
    this.rolloutSnapshots = new RolloutSnapshotRepository(session);
    this.sealedRows = new SealedRowRepository(session);
    this.servers = new ServerRepository(session);
    this.loginSessions = new LoginSessionRepository(session);
    this.signInNetworks = new SignInNetworkRepository(session);
    this.sourceRefreshes = new SourceRefreshRepository(session);
    this.serviceFlags = new ServiceFlagRepository(session);
    this.sourcedHosts = new SourcedHostRepository(session);
    this.webhooks = new WebhookRepository(session);
    this.tasks = new TaskRepository(session);
  }

  /** Signals that are sent after the commit. */
  get signals(): Set<Signal> {
    return this.#session.signals;
  }

  /** Milliseconds since 1970, from the clock that all servers of the store share. */
  nowMs(): Promise<number> {
    return this.#session.engine.nowMs(this.#session.db);
  }
}

/** Reads outside a transaction. Each sees the committed data of its own moment. */
export interface ReadRepositories {
  readonly accounts: Pick<AccountRepository, 'get' | 'isEmpty' | 'list'>;
  readonly clusterPolicies: Pick<ClusterPolicyRepository, 'get'>;
  readonly clusters: Pick<ClusterRepository, 'get' | 'getWithCounts' | 'listNames'>;
  readonly dataKeys: Pick<DataKeyRepository, 'listAll'>;
  readonly driverMemory: Pick<DriverMemoryRepository, 'get'>;
  readonly driverRecords: Pick<DriverRecordRepository, 'get' | 'getManager' | 'listNames'>;
  readonly enrolmentTokens: Pick<EnrolmentTokenRepository, 'get' | 'list' | 'findByDigest'>;
  readonly statistics: StatisticsRepository;
  readonly hostAccess: Pick<HostAccessRepository, 'get' | 'getForEnrolment'>;
  readonly healthChecks: Pick<HealthCheckRepository, 'countUnreachable' | 'getHistory'>;
  readonly hostLabels: Pick<HostLabelRepository, 'listMembersWithLabel' | 'listKeys' | 'get' | 'listValues'>;
  readonly hosts: Pick<
    HostRepository,
    'countByStatus' | 'get' | 'getEntry' | 'list' | 'listExtended' | 'listMemberAddresses' | 'listMembers'
  >;
  readonly serviceKey: Pick<ServiceKeyRepository, 'get'>;
  readonly inventory: Pick<InventoryRepository, 'list'>;
  readonly operationHosts: Pick<OperationHostRepository, 'countByPhase' | 'get' | 'listByPhase' | 'list'>;
  readonly operationOutput: Pick<OperationOutputRepository, 'listLastLines' | 'list'>;
  readonly operations: Pick<
    OperationRepository,
    'listDueIds' | 'get' | 'list' | 'getLatest' | 'nextDue' | 'listOpenIds' | 'getOpen'
  >;
  readonly eventLog: Pick<EventLogRepository, 'readAfter' | 'countAfter' | 'hasUnnumbered' | 'list' | 'getState'>;
  readonly logKeys: Pick<LogKeyRepository, 'get'>;
  readonly outbox: Pick<OutboxRepository, 'isEmpty' | 'listPending'>;
  readonly overview: Pick<OverviewRepository, 'read'>;
  readonly rolloutSnapshots: Pick<RolloutSnapshotRepository, 'budget' | 'outages' | 'listDownMembers'>;
  readonly hostQueue: Pick<HostQueueRepository, 'getLoads' | 'nextDue' | 'getCheckStats'>;
  readonly servers: Pick<ServerRepository, 'listBootIds' | 'areAllPartitioned' | 'getView'>;
  readonly loginSessions: Pick<LoginSessionRepository, 'listByAccount' | 'findByDigest'>;
  readonly signInNetworks: Pick<SignInNetworkRepository, 'getLastSignIn'>;
  readonly sourceRefreshes: Pick<SourceRefreshRepository, 'get'>;
  readonly serviceFlags: Pick<ServiceFlagRepository, 'isGloballyPaused'>;
  readonly sourcedHosts: Pick<SourcedHostRepository, 'hasUnread' | 'listAddresses' | 'getLastReadAt'>;
  readonly webhooks: Pick<WebhookRepository, 'get' | 'listNames' | 'listEnabled'>;
  readonly tasks: Pick<TaskRepository, 'getNextDue' | 'list' | 'listSaved'>;
  nowMs(): Promise<number>;
}
