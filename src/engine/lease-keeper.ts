import { HealthCheckBatch } from './health/health-check-batch.ts';
import { Lease } from './lease.ts';
import type { EnginePorts } from './ports.ts';

/** Clocks drift apart by less than this between two looks. */
const MAX_DRIFT_MS = 2000;

/** Notices that the store's clock was set, or that this server slept: then nothing is due when it should be. */
export class ClockJumpDetector {
  readonly #ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>;
  #last: { readonly storeMs: number; readonly monotonicMs: number } | undefined;

  constructor(ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>) {
    this.#ports = ports;
  }

  /** Looks now and then. At the first look nobody knows, so the agenda is put in order in any case. */
  async check(): Promise<void> {
    const { store, clock, log } = this.#ports;
    const now = { storeMs: await store.reads.nowMs(), monotonicMs: clock.monotonicMs() };
    const last = this.#last;
    this.#last = now;
    const byMs = last ? now.storeMs - last.storeMs - (now.monotonicMs - last.monotonicMs) : undefined;
    if (byMs !== undefined && Math.abs(byMs) < MAX_DRIFT_MS) return;
    if (byMs !== undefined) log.warn({ byMs: Math.round(byMs) }, "the store's clock was set");
    await this.repairDueTimes();
  }

  async repairDueTimes(): Promise<void> {
    const { store, settings } = this.#ports;
    const repairBatch = () =>
      store.transaction(async records =>
        records.hostQueue.repairDueTimes(await records.nowMs(), settings.checkIntervalMs),
      );
    while (await repairBatch());
  }
}

/** Renewed so many times within one lease. */
const RENEWALS_PER_LEASE = 3;

/** What a server has for as long as it has its lease. */
export interface LeaseContext {
  readonly lease: Lease;
  readonly batch: HealthCheckBatch;
}

/** A server's time at the store: its lease, kept by a heartbeat, and what ends with it. When it is lost another begins. */
export class LeaseKeeper {
  readonly #ports: EnginePorts;
  readonly #onHeartbeat: () => void;
  readonly #clockJumps: ClockJumpDetector;
  #context: LeaseContext;
  #isStopped = false;
  #cancelHeartbeat = () => {};

  private constructor(ports: EnginePorts, lease: Lease, onHeartbeat: () => void) {
    this.#ports = ports;
    this.#onHeartbeat = onHeartbeat;
    this.#clockJumps = new ClockJumpDetector(ports);
    this.#context = { lease, batch: new HealthCheckBatch(ports, lease) };
  }

  /** Enters the store. `onBeat` is called now and then, whatever else happens. */
  static async start(ports: EnginePorts, onHeartbeat: () => void): Promise<LeaseKeeper> {
    const keeper = new LeaseKeeper(ports, await Lease.acquire(ports), onHeartbeat);
    try {
      await keeper.#clockJumps.check();
    } catch (error) {
      await keeper.release();
      throw error;
    }
    keeper.#scheduleHeartbeat();
    return keeper;
  }

  get context(): LeaseContext {
    return this.#context;
  }

  /** No heartbeat any more; the lease is held for as long as it lasts. */
  stopHeartbeat(): void {
    this.#isStopped = true;
    this.#cancelHeartbeat();
  }

  /** Leaves the store in order, if it can be reached. */
  async release(): Promise<void> {
    this.stopHeartbeat();
    await this.#context.lease.release().catch(error => {
      this.#ports.log.warn(
        { err: error },
        'failed to release the lease; other servers must wait until it expires',
      );
    });
  }

  #scheduleHeartbeat(): void {
    const { clock, settings } = this.#ports;
    this.#cancelHeartbeat = clock.setTimer(settings.leaseMs / RENEWALS_PER_LEASE, async () => {
      await this.#heartbeat();
      if (this.#isStopped) return;
      this.#scheduleHeartbeat();
      this.#onHeartbeat();
    });
  }

  async #heartbeat(): Promise<void> {
    const { lease } = this.#context;
    await lease.renew();
    if (this.#isStopped) return;
    try {
      if (lease.isHeld()) await this.#clockJumps.check();
      else await this.#reacquire();
    } catch (error) {
      this.#ports.log.error({ err: error }, 'store query failed; retrying');
    }
  }

  async #reacquire(): Promise<void> {
    const lease = await Lease.acquire(this.#ports, this.#context.lease);
    // Only now: while the store is away this is tried again and again.
    this.#ports.log.warn('lease lost; another server may have taken over; registering again');
    this.#ports.metrics?.leaseLost();
    this.#context = { lease, batch: new HealthCheckBatch(this.#ports, lease) };
    // It was asleep, or the store away: much may be overdue.
    await this.#clockJumps.repairDueTimes();
  }
}
