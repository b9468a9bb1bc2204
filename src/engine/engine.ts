// The engine makes saved work happen, and watches hosts. It claims hosts that are due, has one turn at each, and sleeps until the
// next is due or until it is woken. What must hold: nothing but the engine connects to hosts; whatever was under way when a server
// ended is taken up again, by this server when it comes back or by another when the lease is over; a server that has lost its lease
// sends nothing and writes nothing, and begins anew under another name.

import { StoreUnavailableError } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { clusterToReconcile } from '../domain/events/signal.ts';
import type { HealthReport } from '../domain/health-check.ts';
import type { Claim, ClaimQuota } from '../domain/tasks/host-queue.ts';
import type { Target } from '../drivers/transport/transport.ts';
import { sleep, waitUpTo } from '../lib/time/clock.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import type { TraceContext } from '../lib/tracer.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { PerRunKind, RunKind } from './claim-quotas.ts';
import { claimQuotas } from './claim-quotas.ts';
import type { CredentialTestResult } from './credential-tester.ts';
import { CredentialTester } from './credential-tester.ts';
import { runHealthCheck } from './health/health-check.ts';
import { readHealthReport } from './health/health-report.ts';
import { PartitionDetector } from './health/partition-detector.ts';
import { logPartition, PartitionStateSync } from './health/partition-sync.ts';
import { ClaimLostError } from './lease.ts';
import type { LeaseContext } from './lease-keeper.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { EnginePorts, RunPorts } from './ports.ts';
import { OperationReconciler } from './reconcile/operation-reconciler.ts';
import { startOperationPruning } from './reconcile/prune-operations.ts';
import { ReconcileQueue } from './reconcile/reconcile-queue.ts';
import { TaskRunner } from './tasks/task-runner.ts';

/** Looks for what is due are at least so far apart: hosts that are due at almost the same time are taken together. */
const MIN_POLL_INTERVAL_MS = 50;
/** After something broke, most likely since the store was away. */
const ERROR_BACKOFF_MS = 2000;
/** While another server reaches the hosts, a partitioned one checks one host this often, and holds up no other check. */
const SAMPLE_INTERVAL_MS = 5000;
/** The last words to the store at a stop. */
const RELEASE_TIMEOUT_MS = 1000;

export class Engine {
  readonly #ports: RunPorts;
  readonly #partitionDetector: PartitionDetector;
  readonly #partitionSync: PartitionStateSync;
  readonly #pollJob: ThrottledJob;
  readonly #reconciler: OperationReconciler;
  readonly #credentialTester: CredentialTester;
  readonly #activeRuns: Readonly<Record<RunKind, Set<Promise<void>>>> = { task: new Set(), check: new Set() };
  #isStopping = false;
  #sampledAtMs = Number.NEGATIVE_INFINITY;
  #leaseKeeper: LeaseKeeper | undefined;
  #stopListening = () => {};
  #stopPruning = () => {};

  private constructor(ports: EnginePorts) {
    this.#ports = { ...ports, reconcileQueue: new ReconcileQueue(() => this.#wake()) };
    this.#partitionDetector = new PartitionDetector(ports.clock, ports.settings.checkIntervalMs, change => {
      logPartition(ports.log, change);
      this.#wake();
    });
    this.#partitionSync = new PartitionStateSync(ports.store, this.#partitionDetector);
    this.#credentialTester = new CredentialTester(ports);
    this.#reconciler = new OperationReconciler(this.#ports, () => this.#wake());
    this.#pollJob = new ThrottledJob(ports.clock, MIN_POLL_INTERVAL_MS, () => this.#poll());
  }

  /** Begins to work. On a store of its own everything that an earlier server had claimed is free at once. */
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
    engine.#stopPruning = startOperationPruning(engine.#ports, () => !engine.#isStopping);
    engine.#wake();
    return engine;
  }

  /** Something may be due. */
  #wake(): void {
    this.#pollJob.scheduleIn(0);
  }

  /** On some server work was saved, or something has happened in a cluster. */
  #onSignal(signal: Signal): void {
    const cluster = clusterToReconcile(signal);
    if (cluster !== undefined) this.#ports.reconcileQueue.enqueue(cluster);
    else if (signal === 'due') this.#wake();
  }

  /** Whether a host lets us in, and what key it shows then. */
  testCredentials(target: Target, trace?: TraceContext): Promise<CredentialTestResult> {
    return this.#credentialTester.test(target, trace);
  }

  healthReport(): Promise<HealthReport> {
    return readHealthReport(this.#ports, this.#partitionDetector);
  }

  /** Takes nothing new up; what is under way ends its step, or is cut off and left to whoever comes next. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    this.#leaseKeeper?.stopHeartbeat();
    this.#credentialTester.stop();
    this.#stopListening();
    this.#stopPruning();
    const { clock } = this.#ports;
    // A store that hangs is not waited for: then the lease runs out by itself.
    await waitUpTo(clock, timeoutMs, async () => {
      await this.#pollJob.stop();
      const runs = [...this.#activeRuns.task, ...this.#activeRuns.check];
      await Promise.allSettled([
        ...runs,
        this.#leaseKeeper?.context.batch.flush(),
        this.#reconciler.waitForIdle(),
      ]);
    });
    await waitUpTo(clock, RELEASE_TIMEOUT_MS, async () => this.#leaseKeeper?.release());
  }

  #freeCapacity(kind: RunKind): number {
    const { maxTasks, maxChecks } = this.#ports.settings;
    return (kind === 'task' ? maxTasks : maxChecks) - this.#activeRuns[kind].size;
  }

  async #poll(): Promise<void> {
    try {
      const context = this.#leaseKeeper?.context;
      if (context?.lease.isHeld()) this.#pollJob.scheduleIn(await this.#claimDueHosts(context));
    } catch (error) {
      this.#ports.log.error({ err: error }, 'polling for due hosts failed; retrying');
      this.#pollJob.scheduleIn(ERROR_BACKOFF_MS);
    }
  }

  /** Takes its share of what is due, as far as there is room for it; answers in how long to look again. */
  async #claimDueHosts(context: LeaseContext): Promise<number> {
    const { store } = this.#ports;
    const { incarnation } = context.lease;
    const now = await store.reads.nowMs();
    const view = await store.reads.servers.getView(incarnation, now);
    const expiry = store.isShared ? view.nextExpiry : null;
    if (expiry !== null && expiry <= now) {
      await store.transaction(records => reclaimFromDeadServers(records, now));
      this.#ports.metrics?.takeoverDone();
    }
    await this.#partitionSync.synchronize(incarnation, view, now);
    const expiryIn = expiry !== null && expiry > now ? expiry - now : Number.POSITIVE_INFINITY;
    // A partitioned server leaves decisions and work to a server that reaches the hosts. It checks one host now and then to notice when it can, too.
    if (this.#partitionDetector.isPartitioned && view.isAnotherConnected)
      return this.#checkOneHost(context, expiryIn);
    await this.#reconciler.reconcileDue(context.lease, now);
    const dueIn = await this.#timeUntilDue(now);
    if (Math.min(dueIn.task, dueIn.check) > 0)
      return Math.min(dueIn.task, dueIn.check, dueIn.reconcile, expiryIn);
    const capacity = { task: this.#freeCapacity('task'), check: this.#freeCapacity('check') };
    const quotas = await claimQuotas(store, incarnation, {
      room: capacity,
      nowMs: now,
      isAlone: expiry === null,
    });
    await this.#claimBatch(context, quotas);
    const pollIn = (kind: RunKind) => (dueIn[kind] > 0 ? dueIn[kind] : quotas[kind].recheckInMs);
    return Math.min(pollIn('task'), pollIn('check'), dueIn.reconcile, expiryIn);
  }

  /** Checks one host now and then; answers in how long to look again. */
  async #checkOneHost(context: LeaseContext, expiryInMs: number): Promise<number> {
    const { clock } = this.#ports;
    const sinceLastMs = clock.monotonicMs() - this.#sampledAtMs;
    if (sinceLastMs >= SAMPLE_INTERVAL_MS && this.#activeRuns.check.size === 0) {
      this.#sampledAtMs = clock.monotonicMs();
      await this.#claimBatch(context, {
        task: { count: 0, recheckInMs: 0 },
        check: { count: 1, recheckInMs: 0 },
      });
    }
    return Math.min(Math.max(MIN_POLL_INTERVAL_MS, SAMPLE_INTERVAL_MS - sinceLastMs), expiryInMs);
  }

  async #claimBatch(context: LeaseContext, { task, check }: PerRunKind<ClaimQuota>): Promise<void> {
    if (task.count + check.count === 0) return;
    const claims = await this.#ports.store.transaction(async records => {
      const claimer = { owner: context.lease.incarnation, now: await records.nowMs() };
      const take = async (kind: RunKind, limit: number) =>
        limit > 0 ? records.claims.claimDue(kind, claimer, limit) : [];
      return { task: await take('task', task.count), check: await take('check', check.count) };
    });
    for (const claim of claims.task) this.#startRun('task', claim, context);
    for (const claim of claims.check) this.#startRun('check', claim, context);
  }

  /** In how long something is due that there is room for, and in how long a decision. */
  async #timeUntilDue(now: number): Promise<PerRunKind<number> & { readonly reconcile: number }> {
    const { task, check } = await this.#ports.store.reads.hostQueue.nextDue();
    const reconcile = await this.#reconciler.nextDue();
    const dueIn = (at: number | null, hasCapacity: boolean) =>
      at === null || !hasCapacity ? Number.POSITIVE_INFINITY : Math.max(0, at - now);
    return {
      task: dueIn(task, this.#freeCapacity('task') > 0),
      check: dueIn(check, this.#freeCapacity('check') > 0),
      reconcile: this.#ports.reconcileQueue.isEmpty ? dueIn(reconcile, true) : 0,
    };
  }

  #startRun(kind: RunKind, claim: Claim, context: LeaseContext): void {
    this.#ports.metrics?.runStarted(kind);
    const run = this.#runWithRetry(kind, claim, context).finally(() => {
      this.#activeRuns[kind].delete(run);
      this.#ports.metrics?.runEnded(kind);
      this.#wake();
    });
    this.#activeRuns[kind].add(run);
  }

  /** A claim that could not be given up stays ours, so the turn is repeated until it ends well or the lease is lost. */
  async #runWithRetry(kind: RunKind, claim: Claim, context: LeaseContext): Promise<void> {
    const { clock, log, metrics } = this.#ports;
    while (context.lease.isHeld() && !this.#isStopping) {
      try {
        return await this.#run(kind, claim, context);
      } catch (error) {
        if (error instanceof ClaimLostError) {
          metrics?.claimLost(kind);
          return;
        }
        metrics?.runErrored(kind);
        // That the store is away is told by the heartbeat, once for all hosts.
        if (!(error instanceof StoreUnavailableError))
          log.error({ err: error, host: claim.host }, 'run failed unexpectedly; retrying');
        await sleep(clock, ERROR_BACKOFF_MS, context.lease.signal);
      }
    }
  }

  #run(kind: RunKind, claim: Claim, context: LeaseContext): Promise<void> {
    const ports = this.#ports;
    if (kind === 'task') {
      const run = new TaskRunner(ports, context.lease, claim, this.#partitionDetector);
      return run.run(() => this.#isStopping);
    }
    const isAnotherConnected = () => this.#partitionSync.isAnotherConnected;
    return runHealthCheck(
      { ports, partition: this.#partitionDetector, isAnotherConnected, ...context },
      claim,
    );
  }
}

/** Releases the claims of dead servers, and has every open operation decided: a dead server may have known something that it did not write. */
async function reclaimFromDeadServers(records: Repositories, now: number): Promise<void> {
  // Operations before the agenda, as decisions lock them.
  await records.operations.scheduleAllReconciles(now);
  await records.claims.releaseExpired(now);
  await records.servers.removeExpired(now);
}
