// The engine makes saved work happen, and watches hosts. It claims hosts that are due, has one turn at each, and sleeps until the
// next is due or until it is woken. What must hold: nothing but the engine connects to hosts; whatever was under way when a server
// ended is taken up again, by this server when it comes back or by another when the lease is over; a server that has lost its lease
// sends nothing and writes nothing, and begins anew under another name.

import { StoreUnavailable } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { clusterOfNews } from '../domain/events/signal.ts';
import type { WatchReport } from '../domain/watch/watch-report.ts';
import type { Claim } from '../domain/work/agenda.ts';
import type { Share } from '../domain/work/fair-share.ts';
import type { Target } from '../drivers/transport/transport.ts';
import { Pacer } from '../lib/time/pacer.ts';
import { sleep, within } from '../lib/time/sleep.ts';
import type { TraceContext } from '../lib/tracer.ts';
import type { Records } from '../store/records.ts';
import type { TrialResult } from './access-trials.ts';
import { AccessTrials } from './access-trials.ts';
import { LostClaim } from './lease.ts';
import { News } from './news.ts';
import type { EnginePorts, TurnPorts } from './ports.ts';
import { Decisions } from './rolling/decisions.ts';
import { forgetOldOperations } from './rolling/forget-old-operations.ts';
import type { ByKind, TurnKind } from './shares.ts';
import { sharesOf } from './shares.ts';
import type { Hold } from './tenure.ts';
import { Tenure } from './tenure.ts';
import { checkTurn } from './watch/check-turn.ts';
import { PartitionDetector } from './watch/partition-detector.ts';
import { logPartition, PartitionStateSync } from './watch/partition-state-sync.ts';
import { watchReport } from './watch/watch-report.ts';
import { WorkTurn } from './work/work-turn.ts';

/** Looks for what is due are at least so far apart: hosts that are due at almost the same time are taken together. */
const PACE_MS = 50;
/** After something broke, most likely since the store was away. */
const TRY_AGAIN_MS = 2000;
/** While another server reaches the hosts, a partitioned one checks one host this often, and holds up no other check. */
const SAMPLE_EVERY_MS = 5000;
/** The last words to the store at a stop. */
const LEAVE_WITHIN_MS = 1000;

export class Engine {
  readonly #ports: TurnPorts;
  readonly #partition: PartitionDetector;
  readonly #partitionSync: PartitionStateSync;
  readonly #pacer: Pacer;
  readonly #decisions: Decisions;
  readonly #trials: AccessTrials;
  readonly #turns: Readonly<Record<TurnKind, Set<Promise<void>>>> = { task: new Set(), check: new Set() };
  #isStopping = false;
  #sampledAtMs = Number.NEGATIVE_INFINITY;
  #tenure: Tenure | undefined;
  #stopListening = () => {};
  #sweeper = () => {};

  private constructor(ports: EnginePorts) {
    this.#ports = { ...ports, news: new News(() => this.#wake()) };
    this.#partition = new PartitionDetector(ports.clock, ports.settings.checkIntervalMs, change => {
      logPartition(ports.log, change);
      this.#wake();
    });
    this.#partitionSync = new PartitionStateSync(ports.store, this.#partition);
    this.#trials = new AccessTrials(ports);
    this.#decisions = new Decisions(this.#ports, () => this.#wake());
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#look());
  }

  /** Begins to work. On a store of its own everything that an earlier server had claimed is free at once. */
  static async start(ports: EnginePorts): Promise<Engine> {
    await ports.store.transaction(async records => {
      const now = await records.nowMs();
      if (!ports.store.isShared) await records.servers.leaveAll();
      await takeOver(records, now);
      await records.agenda.removeOrphans();
    });
    const engine = new Engine(ports);
    engine.#tenure = await Tenure.begin(ports, () => engine.#wake());
    engine.#stopListening = ports.store.listen(signal => engine.#hear(signal));
    engine.#sweeper = forgetOldOperations(engine.#ports, () => !engine.#isStopping);
    engine.#wake();
    return engine;
  }

  /** Something may be due. */
  #wake(): void {
    this.#pacer.doIn(0);
  }

  /** On some server work was saved, or something has happened in a cluster. */
  #hear(signal: Signal): void {
    const cluster = clusterOfNews(signal);
    if (cluster !== undefined) this.#ports.news.add(cluster);
    else if (signal === 'due') this.#wake();
  }

  /** Whether a host lets us in, and what key it shows then. */
  tryAccess(target: Target, trace?: TraceContext): Promise<TrialResult> {
    return this.#trials.try(target, trace);
  }

  watchReport(): Promise<WatchReport> {
    return watchReport(this.#ports, this.#partition);
  }

  /** Takes nothing new up; what is under way ends its step, or is cut off and left to whoever comes next. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    this.#tenure?.stopBeating();
    this.#trials.stop();
    this.#stopListening();
    this.#sweeper();
    const { clock } = this.#ports;
    // A store that hangs is not waited for: then the lease runs out by itself.
    await within(clock, withinMs, async () => {
      await this.#pacer.stop();
      const turns = [...this.#turns.task, ...this.#turns.check];
      await Promise.allSettled([...turns, this.#tenure?.hold.batch.flush(), this.#decisions.settle()]);
    });
    await within(clock, LEAVE_WITHIN_MS, async () => this.#tenure?.end());
  }

  #free(kind: TurnKind): number {
    const { maxWork, maxChecks } = this.#ports.settings;
    return (kind === 'task' ? maxWork : maxChecks) - this.#turns[kind].size;
  }

  async #look(): Promise<void> {
    try {
      const hold = this.#tenure?.hold;
      if (hold?.lease.isHeld()) this.#pacer.doIn(await this.#takeWhatIsDue(hold));
    } catch (error) {
      this.#ports.log.error({ err: error }, 'polling for due hosts failed; retrying');
      this.#pacer.doIn(TRY_AGAIN_MS);
    }
  }

  /** Takes its share of what is due, as far as there is room for it; answers in how long to look again. */
  async #takeWhatIsDue(hold: Hold): Promise<number> {
    const { store } = this.#ports;
    const { incarnation } = hold.lease;
    const now = await store.reads.nowMs();
    const view = await store.reads.servers.view(incarnation, now);
    const expiry = store.isShared ? view.nextExpiry : null;
    if (expiry !== null && expiry <= now) {
      await store.transaction(records => takeOver(records, now));
      this.#ports.meter?.tookOver();
    }
    await this.#partitionSync.synchronize(incarnation, view, now);
    const expiryIn = expiry !== null && expiry > now ? expiry - now : Number.POSITIVE_INFINITY;
    // A partitioned server leaves decisions and work to a server that reaches the hosts. It checks one host now and then to notice when it can, too.
    if (this.#partition.isPartitioned && view.isAnotherConnected) return this.#checkOneHost(hold, expiryIn);
    await this.#decisions.takeUp(hold.lease, now);
    const dueIn = await this.#dueIn(now);
    if (Math.min(dueIn.task, dueIn.check) > 0)
      return Math.min(dueIn.task, dueIn.check, dueIn.decision, expiryIn);
    const room = { task: this.#free('task'), check: this.#free('check') };
    const shares = await sharesOf(store, incarnation, { room, nowMs: now, isAlone: expiry === null });
    await this.#take(hold, shares);
    const lookIn = (kind: TurnKind) => (dueIn[kind] > 0 ? dueIn[kind] : shares[kind].lookInMs);
    return Math.min(lookIn('task'), lookIn('check'), dueIn.decision, expiryIn);
  }

  /** Checks one host now and then; answers in how long to look again. */
  async #checkOneHost(hold: Hold, expiryInMs: number): Promise<number> {
    const { clock } = this.#ports;
    const sinceLastMs = clock.monotonicMs() - this.#sampledAtMs;
    if (sinceLastMs >= SAMPLE_EVERY_MS && this.#turns.check.size === 0) {
      this.#sampledAtMs = clock.monotonicMs();
      await this.#take(hold, { task: { take: 0, lookInMs: 0 }, check: { take: 1, lookInMs: 0 } });
    }
    return Math.min(Math.max(PACE_MS, SAMPLE_EVERY_MS - sinceLastMs), expiryInMs);
  }

  async #take(hold: Hold, { task, check }: ByKind<Share>): Promise<void> {
    if (task.take + check.take === 0) return;
    const claims = await this.#ports.store.transaction(async records => {
      const claimer = { owner: hold.lease.incarnation, now: await records.nowMs() };
      const take = async (kind: TurnKind, limit: number) =>
        limit > 0 ? records.claims.take(kind, claimer, limit) : [];
      return { task: await take('task', task.take), check: await take('check', check.take) };
    });
    for (const claim of claims.task) this.#begin('task', claim, hold);
    for (const claim of claims.check) this.#begin('check', claim, hold);
  }

  /** In how long something is due that there is room for, and in how long a decision. */
  async #dueIn(now: number): Promise<ByKind<number> & { readonly decision: number }> {
    const { work, check } = await this.#ports.store.reads.agenda.nextDue();
    const decision = await this.#decisions.nextDue();
    const dueIn = (at: number | null, hasRoom: boolean) =>
      at === null || !hasRoom ? Number.POSITIVE_INFINITY : Math.max(0, at - now);
    return {
      task: dueIn(work, this.#free('task') > 0),
      check: dueIn(check, this.#free('check') > 0),
      decision: this.#ports.news.isEmpty ? dueIn(decision, true) : 0,
    };
  }

  #begin(kind: TurnKind, claim: Claim, hold: Hold): void {
    this.#ports.meter?.turnBegan(kind);
    const turn = this.#takeTurn(kind, claim, hold).finally(() => {
      this.#turns[kind].delete(turn);
      this.#ports.meter?.turnEnded(kind);
      this.#wake();
    });
    this.#turns[kind].add(turn);
  }

  /** A claim that could not be given up stays ours, so the turn is repeated until it ends well or the lease is lost. */
  async #takeTurn(kind: TurnKind, claim: Claim, hold: Hold): Promise<void> {
    const { clock, log, meter } = this.#ports;
    while (hold.lease.isHeld() && !this.#isStopping) {
      try {
        return await this.#turn(kind, claim, hold);
      } catch (error) {
        if (error instanceof LostClaim) {
          meter?.claimLost(kind);
          return;
        }
        meter?.turnBroke(kind);
        // That the store is away is told by the heartbeat, once for all hosts.
        if (!(error instanceof StoreUnavailable))
          log.error({ err: error, host: claim.host }, 'run failed unexpectedly; retrying');
        await sleep(clock, TRY_AGAIN_MS, hold.lease.signal);
      }
    }
  }

  #turn(kind: TurnKind, claim: Claim, hold: Hold): Promise<void> {
    const ports = this.#ports;
    if (kind === 'task') {
      const turn = new WorkTurn(ports, hold.lease, claim, this.#partition);
      return turn.run(() => this.#isStopping);
    }
    const isAnotherConnected = () => this.#partitionSync.isAnotherConnected;
    return checkTurn({ ports, partition: this.#partition, isAnotherConnected, ...hold }, claim);
  }
}

/** Releases the claims of dead servers, and has every open operation decided: a dead server may have known something that it did not write. */
async function takeOver(records: Records, now: number): Promise<void> {
  // Operations before the agenda, as decisions lock them.
  await records.operations.setAllDue(now);
  await records.claims.releaseOfDead(now);
  await records.servers.forgetDead(now);
}
