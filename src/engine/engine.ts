// Invariants:
// - Only the engine connects to hosts.
// - An interrupted task resumes on this server after a restart, or on another server after the lease expires.
// - A server without its lease sends and writes nothing, and registers again with a new incarnation.

import { StoreUnavailableError } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { clusterToReconcile } from '../domain/events/signal.ts';
import type { HealthReport } from '../domain/health-check.ts';
import type { Claim, ClaimQuota } from '../domain/tasks/host-queue.ts';
import { fairQuota } from '../domain/tasks/host-queue.ts';
import type { Target } from '../drivers/transport/transport.ts';
import { sleep, waitUpTo } from '../lib/time/clock.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import type { TraceContext } from '../lib/tracer.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { Store } from '../store/store.ts';
import type { CredentialTestResult } from './credential-tester.ts';
import { CredentialTester } from './credential-tester.ts';
import { runHealthCheck } from './health/health-check.ts';
import { readHealthReport } from './health/health-report.ts';
import { PartitionDetector } from './health/partition-detector.ts';
import { logPartition, PartitionStateSync } from './health/partition-sync.ts';
import { ClaimLostError } from './lease.ts';
import type { LeaseContext } from './lease-keeper.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { EnginePorts, RunKind, RunPorts } from './ports.ts';
import { OperationReconciler } from './reconcile/operation-reconciler.ts';
import { startOperationPruning } from './reconcile/prune-operations.ts';
import { TaskRunner } from './tasks/task-runner.ts';

/** Hosts that are due at almost the same time are claimed together. */
const MIN_POLL_INTERVAL_MS = 50;
const ERROR_BACKOFF_MS = 2000;
/** How often a partitioned server checks one host while another server reaches the hosts. */
const SAMPLE_INTERVAL_MS = 5000;
const RELEASE_TIMEOUT_MS = 1000;
const MAX_LOGGED_HOSTS = 10;

type PerRunKind<T> = Readonly<Record<RunKind, T>>;

/** Bounds the cost of the load query. With more servers, load evens out over several polls. */
const COUNT_LIMIT_FACTOR = 20;

const fixedQuota = (capacity: number): ClaimQuota => ({ count: capacity, recheckInMs: 0 });

export class Engine {
  readonly #ports: RunPorts;
  readonly #partitionDetector: PartitionDetector;
  readonly #partitionSync: PartitionStateSync;
  readonly #pollJob: ThrottledJob;
  readonly #reconciler: OperationReconciler;
  readonly #credentialTester: CredentialTester;
  readonly #activeRuns: PerRunKind<Set<Promise<void>>> = { task: new Set(), check: new Set() };
  /** Claims of the active runs. */
  readonly #claims = new Set<Claim>();
  /** The store can have committed a claim although its response was lost. */
  #mustVerifyClaims = false;
  #claimsVerifiedAtMs = Number.NEGATIVE_INFINITY;
  #isStopping = false;
  #sampledAtMs = Number.NEGATIVE_INFINITY;
  #leaseKeeper: LeaseKeeper | undefined;
  #stopListening = () => {};
  #pruningJob: ThrottledJob | undefined;

  private constructor(ports: EnginePorts) {
    this.#ports = { ...ports, requestReconcile: cluster => this.#reconciler.request(cluster) };
    this.#partitionDetector = new PartitionDetector(ports.clock, ports.settings.checkIntervalMs, change => {
      logPartition(ports.log, change);
      this.#wake();
    });
    this.#partitionSync = new PartitionStateSync(ports.store, this.#partitionDetector);
    this.#credentialTester = new CredentialTester(ports);
    this.#reconciler = new OperationReconciler(ports, () => this.#wake());
    this.#pollJob = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: MIN_POLL_INTERVAL_MS,
      run: () => this.#poll(),
      onError: err => ports.log.error({ err }, 'polling for due hosts failed; retrying'),
      retryMs: ERROR_BACKOFF_MS,
    });
  }

  /** If the store is not shared, releases all claims of earlier servers immediately. */
  static async start(ports: EnginePorts): Promise<Engine> {
    await ports.store.transaction(async records => {
      const now = await records.nowMs();
      if (!ports.store.isShared) await records.servers.unregisterAll();
      await reclaimFromDeadServers(records, now);
      await records.hostQueue.removeOrphans();
    });
    const engine = new Engine(ports);
    engine.#leaseKeeper = await LeaseKeeper.start(ports, () => engine.#wake());
    engine.#stopListening = ports.store.listen(signal => engine.#onSignal(signal));
    engine.#pruningJob = startOperationPruning(engine.#ports);
    engine.#wake();
    return engine;
  }

  #wake(): void {
    this.#pollJob.scheduleIn(0);
  }

  #onSignal(signal: Signal): void {
    const cluster = clusterToReconcile(signal);
    if (cluster !== undefined) this.#reconciler.request(cluster);
    else if (signal === 'due') this.#wake();
  }

  testCredentials(target: Target, trace?: TraceContext): Promise<CredentialTestResult> {
    return this.#credentialTester.test(target, trace);
  }

  healthReport(): Promise<HealthReport> {
    return readHealthReport(this.#ports, this.#partitionDetector);
  }

  /** Starts nothing new. Running steps can finish within the timeout; later runs resume the rest. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    this.#leaseKeeper?.stopHeartbeat();
    this.#credentialTester.stop();
    this.#stopListening();
    void this.#pruningJob?.stop();
    const { clock } = this.#ports;
    // If the store hangs, the lease expires without being released.
    await waitUpTo(clock, timeoutMs, async () => {
      await this.#pollJob.stop();
      const runs = [...this.#activeRuns.task, ...this.#activeRuns.check];
      await Promise.allSettled([...runs, this.#leaseKeeper?.context.batch.flush(), this.#reconciler.waitForIdle()]);
    });
    await waitUpTo(clock, RELEASE_TIMEOUT_MS, async () => this.#leaseKeeper?.release());
  }

  #freeCapacity(kind: RunKind): number {
    const { maxTasks, maxChecks } = this.#ports.settings;
    return (kind === 'task' ? maxTasks : maxChecks) - this.#activeRuns[kind].size;
  }

  async #poll(): Promise<number> {
    const context = this.#leaseKeeper?.context;
    return context?.lease.isHeld() ? this.#claimDueHosts(context) : Number.POSITIVE_INFINITY;
  }

  /** Returns the delay until the next poll. */
  async #claimDueHosts(context: LeaseContext): Promise<number> {
    const { store } = this.#ports;
    const { incarnation } = context.lease;
    await this.#verifyClaims(incarnation);
    const now = await store.reads.nowMs();
    const peers = await store.reads.servers.getPeers(incarnation, now);
    const expiry = store.isShared ? peers.nextExpiry : null;
    if (expiry !== null && expiry <= now) {
      await store.transaction(records => reclaimFromDeadServers(records, now));
      this.#ports.metrics.takeoverDone();
    }
    await this.#partitionSync.synchronize(incarnation, peers, now);
    const expiryIn = expiry !== null && expiry > now ? expiry - now : Number.POSITIVE_INFINITY;
    // A partitioned server checks single hosts to detect when its own network works again.
    if (this.#partitionDetector.isPartitioned && peers.isAnotherServerConnected)
      return this.#checkOneHost(context, expiryIn);
    await this.#reconciler.reconcileDue(context.lease, now);
    const dueIn = await this.#timeUntilDue(now);
    if (Math.min(dueIn.task, dueIn.check) > 0) return Math.min(dueIn.task, dueIn.check, dueIn.reconcile, expiryIn);
    const capacity = { task: this.#freeCapacity('task'), check: this.#freeCapacity('check') };
    const quotas = await claimQuotas(store, incarnation, { capacity, nowMs: now, isAlone: expiry === null });
    await this.#claimBatch(context, quotas);
    const pollIn = (kind: RunKind) => (dueIn[kind] > 0 ? dueIn[kind] : quotas[kind].recheckInMs);
    return Math.min(pollIn('task'), pollIn('check'), dueIn.reconcile, expiryIn);
  }

  async #checkOneHost(context: LeaseContext, expiryInMs: number): Promise<number> {
    const { clock } = this.#ports;
    const sinceLastMs = clock.monotonicMs() - this.#sampledAtMs;
    if (sinceLastMs >= SAMPLE_INTERVAL_MS && this.#activeRuns.check.size === 0) {
      this.#sampledAtMs = clock.monotonicMs();
      await this.#claimBatch(context, { task: fixedQuota(0), check: fixedQuota(1) });
    }
    return Math.min(Math.max(MIN_POLL_INTERVAL_MS, SAMPLE_INTERVAL_MS - sinceLastMs), expiryInMs);
  }

  async #claimBatch(context: LeaseContext, { task, check }: PerRunKind<ClaimQuota>): Promise<void> {
    if (task.count + check.count === 0) return;
    this.#mustVerifyClaims = true;
    const claims = await this.#ports.store.transaction(async records => {
      const claimer = { owner: context.lease.incarnation, now: await records.nowMs() };
      const claim = async (kind: RunKind, limit: number) =>
        limit > 0 ? records.claims.claimDue(kind, claimer, limit) : [];
      return { task: await claim('task', task.count), check: await claim('check', check.count) };
    });
    this.#mustVerifyClaims = false;
    for (const claim of claims.task) this.#startRun('task', claim, context);
    for (const claim of claims.check) this.#startRun('check', claim, context);
  }

  /**
   * Releases claims that no run would ever release, because the lease of their owner does not expire. The store can
   * commit a claim long after the connection of the server broke, even after the server acquired a new lease.
   */
  async #verifyClaims(incarnation: string): Promise<void> {
    const { store, clock, settings, log } = this.#ports;
    const startedMs = clock.monotonicMs();
    if (!this.#mustVerifyClaims && startedMs - this.#claimsVerifiedAtMs < settings.leaseMs) return;
    const { hosts, hasUnknownOwners } = await store.reads.hostQueue.getClaims(incarnation);
    // Read after the claims: a run that ended in between has released its claim.
    const running = new Set([...this.#claims].map(({ host }) => host));
    const abandoned = hosts.filter(host => !running.has(host));
    if (abandoned.length > 0) {
      log.warn(
        { hosts: abandoned.slice(0, MAX_LOGGED_HOSTS), count: abandoned.length },
        'releasing claims without a run',
      );
      await store.transaction(({ claims }) => claims.releaseHosts(abandoned, incarnation));
    }
    if (hasUnknownOwners) {
      log.warn('releasing claims of a server that is not registered');
      await store.transaction(async records => reclaimFromDeadServers(records, await records.nowMs()));
    }
    this.#claimsVerifiedAtMs = startedMs;
    this.#mustVerifyClaims = false;
  }

  async #timeUntilDue(now: number): Promise<PerRunKind<number> & { readonly reconcile: number }> {
    const { task, check } = await this.#ports.store.reads.hostQueue.getNextDue();
    const reconcile = await this.#reconciler.nextDue();
    const dueIn = (at: number | null, hasCapacity: boolean) =>
      at === null || !hasCapacity ? Number.POSITIVE_INFINITY : Math.max(0, at - now);
    return {
      task: dueIn(task, this.#freeCapacity('task') > 0),
      check: dueIn(check, this.#freeCapacity('check') > 0),
      reconcile: dueIn(reconcile, true),
    };
  }

  #startRun(kind: RunKind, claim: Claim, context: LeaseContext): void {
    this.#ports.metrics.runStarted(kind);
    this.#claims.add(claim);
    const run = this.#runWithRetry(kind, claim, context).finally(() => {
      this.#claims.delete(claim);
      this.#activeRuns[kind].delete(run);
      this.#ports.metrics.runEnded(kind);
      this.#wake();
    });
    this.#activeRuns[kind].add(run);
  }

  /** Repeats the run until it succeeds, because a claim that was not released stays with this server. */
  async #runWithRetry(kind: RunKind, claim: Claim, context: LeaseContext): Promise<void> {
    const { clock, log, metrics } = this.#ports;
    while (context.lease.isHeld() && !this.#isStopping) {
      try {
        return await this.#run(kind, claim, context);
      } catch (error) {
        if (error instanceof ClaimLostError) {
          metrics.claimLost(kind);
          log.debug({ host: claim.host, run: kind }, 'claim lost; run ended');
          return;
        }
        metrics.runErrored(kind);
        // The heartbeat logs an unavailable store, once for all hosts.
        if (!(error instanceof StoreUnavailableError))
          log.error({ err: error, host: claim.host }, 'run failed unexpectedly; retrying');
        await sleep(clock, ERROR_BACKOFF_MS, context.lease.signal);
      }
    }
  }

  #run(kind: RunKind, claim: Claim, context: LeaseContext): Promise<void> {
    const ports = this.#ports;
    if (kind === 'task') {
      const runner = new TaskRunner(ports, context.lease, claim, this.#partitionDetector);
      return runner.run(() => this.#isStopping);
    }
    const isAnotherServerConnected = () => this.#partitionSync.isAnotherServerConnected;
    return runHealthCheck({ ports, partition: this.#partitionDetector, isAnotherServerConnected, ...context }, claim);
  }
}

/** All open operations become due: a dead server can have lost reconcile requests from its memory. */
async function reclaimFromDeadServers(records: Repositories, now: number): Promise<void> {
  // Locks operations before the host queue, in the same order as reconcile runs.
  await records.operations.scheduleAllReconciles(now);
  await records.claims.releaseExpired(now);
  await records.servers.removeExpired(now);
}

async function claimQuotas(
  { reads }: Pick<Store, 'reads'>,
  owner: string,
  { capacity, nowMs, isAlone }: { capacity: PerRunKind<number>; nowMs: number; isAlone: boolean },
): Promise<PerRunKind<ClaimQuota>> {
  if (isAlone) return { task: fixedQuota(capacity.task), check: fixedQuota(capacity.check) };
  const limit = COUNT_LIMIT_FACTOR * Math.max(capacity.task, capacity.check, 1);
  const { servers, task, check } = await reads.hostQueue.getLoads(owner, nowMs, limit);
  return {
    task: fairQuota(task, { servers, nowMs, capacity: capacity.task }),
    check: fairQuota(check, { servers, nowMs, capacity: capacity.check }),
  };
}
