import type { Kysely } from 'kysely';
import type { Signal } from '../domain/events/signal.ts';
import { LockOrder } from './lock-order.ts';
import { AccountRepository } from './repositories/accounts/accounts.ts';
import { EnrolmentTokenRepository } from './repositories/accounts/enrolment-tokens.ts';
import { LoginSessionRepository } from './repositories/accounts/login-sessions.ts';
import { SignInNetworkRepository } from './repositories/accounts/sign-in-networks.ts';
import { ClusterRepository } from './repositories/clusters.ts';
import { DriverMemoryRepository } from './repositories/driver-memory.ts';
import { DriverRecordRepository } from './repositories/driver-records.ts';
import { ClusterStatusRepository } from './repositories/events/cluster-statuses.ts';
import { LogRepository } from './repositories/events/log.ts';
import { LogKeyRepository } from './repositories/events/log-keys.ts';
import { OutboxRepository } from './repositories/events/outbox.ts';
import { WebhookRepository } from './repositories/events/webhooks.ts';
import { FigureRepository } from './repositories/figures.ts';
import { HostAccessRepository } from './repositories/hosts/host-access.ts';
import { HostCheckRepository } from './repositories/hosts/host-checks.ts';
import { HostLabelRepository } from './repositories/hosts/host-labels.ts';
import { HostRepository } from './repositories/hosts/hosts.ts';
import { InventoryRepository } from './repositories/hosts/inventory.ts';
import { SourceReadRepository } from './repositories/hosts/source-reads.ts';
import { ToldHostRepository } from './repositories/hosts/told-hosts.ts';
import { ClusterPolicyRepository } from './repositories/operations/cluster-policies.ts';
import { IdempotencyKeyRepository } from './repositories/operations/idempotency-keys.ts';
import { OperationHostRepository } from './repositories/operations/operation-hosts.ts';
import { OperationOutputRepository } from './repositories/operations/operation-output.ts';
import { OperationRepository } from './repositories/operations/operations.ts';
import { RollingSnapshotRepository } from './repositories/operations/rolling-snapshots.ts';
import { SwitchRepository } from './repositories/operations/switches.ts';
import { OverviewRepository } from './repositories/overview.ts';
import { RestoredStateRepository } from './repositories/restored-state.ts';
import { DataKeyRepository } from './repositories/secrets/data-keys.ts';
import { IdentityRepository } from './repositories/secrets/identity.ts';
import { SealedRowRepository } from './repositories/secrets/sealed-rows.ts';
import { AgendaRepository } from './repositories/work/agenda.ts';
import { ClaimRepository } from './repositories/work/claims.ts';
import { ServerRepository } from './repositories/work/servers.ts';
import { WorkRepository } from './repositories/work/work.ts';
import type { SqlEngine, SqlSession } from './sql-session.ts';
import type { Tables } from './tables/tables.ts';

/** All repositories, on one transaction: they read, lock and change. `LockOrder` says in which order rows are locked. */
export class Records {
  readonly accounts: AccountRepository;
  readonly agenda: AgendaRepository;
  readonly claims: ClaimRepository;
  readonly clusterPolicies: ClusterPolicyRepository;
  readonly clusterStatuses: ClusterStatusRepository;
  readonly clusters: ClusterRepository;
  readonly dataKeys: DataKeyRepository;
  readonly driverMemory: DriverMemoryRepository;
  readonly driverRecords: DriverRecordRepository;
  readonly enrolmentTokens: EnrolmentTokenRepository;
  readonly figures: FigureRepository;
  readonly hostAccess: HostAccessRepository;
  readonly hostChecks: HostCheckRepository;
  readonly hostLabels: HostLabelRepository;
  readonly hosts: HostRepository;
  readonly idempotencyKeys: IdempotencyKeyRepository;
  readonly identity: IdentityRepository;
  readonly inventory: InventoryRepository;
  readonly log: LogRepository;
  readonly logKeys: LogKeyRepository;
  readonly operationHosts: OperationHostRepository;
  readonly operationOutput: OperationOutputRepository;
  readonly operations: OperationRepository;
  readonly outbox: OutboxRepository;
  readonly overview: OverviewRepository;
  readonly restoredState: RestoredStateRepository;
  readonly rollingSnapshots: RollingSnapshotRepository;
  readonly sealedRows: SealedRowRepository;
  readonly servers: ServerRepository;
  readonly loginSessions: LoginSessionRepository;
  readonly signInNetworks: SignInNetworkRepository;
  readonly sourceReads: SourceReadRepository;
  readonly switches: SwitchRepository;
  readonly toldHosts: ToldHostRepository;
  readonly webhooks: WebhookRepository;
  readonly work: WorkRepository;
  readonly #session: SqlSession;

  constructor(db: Kysely<Tables>, engine: SqlEngine) {
    const session: SqlSession = { db, engine, order: new LockOrder(), signals: new Set() };
    this.#session = session;
    this.accounts = new AccountRepository(session);
    this.agenda = new AgendaRepository(session);
    this.claims = new ClaimRepository(session);
    this.clusterPolicies = new ClusterPolicyRepository(session);
    this.clusterStatuses = new ClusterStatusRepository(session);
    this.clusters = new ClusterRepository(session);
    this.dataKeys = new DataKeyRepository(session);
    this.driverMemory = new DriverMemoryRepository(session);
    this.driverRecords = new DriverRecordRepository(session);
    this.enrolmentTokens = new EnrolmentTokenRepository(session);
    this.figures = new FigureRepository(session);
    this.hostAccess = new HostAccessRepository(session);
    this.hostChecks = new HostCheckRepository(session);
    this.hostLabels = new HostLabelRepository(session);
    this.hosts = new HostRepository(session);
    this.idempotencyKeys = new IdempotencyKeyRepository(session);
    this.identity = new IdentityRepository(session);
    this.inventory = new InventoryRepository(session);
    this.log = new LogRepository(session);
    this.logKeys = new LogKeyRepository(session);
    this.operationHosts = new OperationHostRepository(session);
    this.operationOutput = new OperationOutputRepository(session);
    this.operations = new OperationRepository(session);
    this.outbox = new OutboxRepository(session);
    this.overview = new OverviewRepository(session);
    this.restoredState = new RestoredStateRepository(session);
    this.rollingSnapshots = new RollingSnapshotRepository(session);
    this.sealedRows = new SealedRowRepository(session);
    this.servers = new ServerRepository(session);
    this.loginSessions = new LoginSessionRepository(session);
    this.signInNetworks = new SignInNetworkRepository(session);
    this.sourceReads = new SourceReadRepository(session);
    this.switches = new SwitchRepository(session);
    this.toldHosts = new ToldHostRepository(session);
    this.webhooks = new WebhookRepository(session);
    this.work = new WorkRepository(session);
  }

  /** What servers are to hear of once the transaction is committed. */
  get signals(): Set<Signal> {
    return this.#session.signals;
  }

  /** Milliseconds since 1970 by the clock that all who share the store go by. */
  nowMs(): Promise<number> {
    return this.#session.engine.nowMs(this.#session.db);
  }
}

/** What may be read outside of a transaction: what is committed, each read on its own. */
export interface Reads {
  readonly accounts: Pick<AccountRepository, 'get' | 'isEmpty' | 'list'>;
  readonly clusterPolicies: Pick<ClusterPolicyRepository, 'get'>;
  readonly clusters: Pick<ClusterRepository, 'get' | 'getWithCounts' | 'names'>;
  readonly dataKeys: Pick<DataKeyRepository, 'all'>;
  readonly driverMemory: Pick<DriverMemoryRepository, 'get'>;
  readonly driverRecords: Pick<DriverRecordRepository, 'get' | 'managerOf' | 'names'>;
  readonly enrolmentTokens: Pick<EnrolmentTokenRepository, 'get' | 'list' | 'withDigest'>;
  readonly figures: FigureRepository;
  readonly hostAccess: Pick<HostAccessRepository, 'get' | 'getOf'>;
  readonly hostChecks: Pick<HostCheckRepository, 'countUnreachable' | 'history'>;
  readonly hostLabels: Pick<HostLabelRepository, 'carriers' | 'keys' | 'of' | 'values'>;
  readonly hosts: Pick<
    HostRepository,
    'countByStatus' | 'get' | 'line' | 'list' | 'listExtended' | 'memberAddresses' | 'members'
  >;
  readonly identity: Pick<IdentityRepository, 'get'>;
  readonly inventory: Pick<InventoryRepository, 'hosts'>;
  readonly operationHosts: Pick<OperationHostRepository, 'counts' | 'get' | 'inPhases' | 'list'>;
  readonly operationOutput: Pick<OperationOutputRepository, 'lastLines' | 'of'>;
  readonly operations: Pick<
    OperationRepository,
    'due' | 'get' | 'list' | 'newest' | 'nextDue' | 'openIds' | 'openIn'
  >;
  readonly log: Pick<LogRepository, 'after' | 'countAfter' | 'hasUnnumbered' | 'list' | 'state'>;
  readonly logKeys: Pick<LogKeyRepository, 'get'>;
  readonly outbox: Pick<OutboxRepository, 'isEmpty' | 'waiting'>;
  readonly overview: Pick<OverviewRepository, 'read'>;
  readonly rollingSnapshots: Pick<RollingSnapshotRepository, 'budget' | 'outages' | 'downMembers'>;
  readonly agenda: Pick<AgendaRepository, 'loads' | 'nextDue' | 'report'>;
  readonly servers: Pick<ServerRepository, 'bootIds' | 'isEveryPartitioned' | 'view'>;
  readonly loginSessions: Pick<LoginSessionRepository, 'of' | 'withDigest'>;
  readonly signInNetworks: Pick<SignInNetworkRepository, 'lastAt'>;
  readonly sourceReads: Pick<SourceReadRepository, 'get'>;
  readonly switches: Pick<SwitchRepository, 'isHeld'>;
  readonly toldHosts: Pick<ToldHostRepository, 'hasNew' | 'page' | 'toldAt'>;
  readonly webhooks: Pick<WebhookRepository, 'get' | 'names' | 'unparked'>;
  readonly work: Pick<WorkRepository, 'nextDue' | 'of' | 'savedOf'>;
  nowMs(): Promise<number>;
}
