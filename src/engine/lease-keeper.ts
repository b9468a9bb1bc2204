import { HealthCheckBatch } from './health/health-check-batch.ts';
import { Lease } from './lease.ts';
import type { EnginePorts } from './ports.ts';

/** Between the store clock and the monotonic clock, from one heartbeat to the next. */
const MAX_DRIFT_MS = 2000;

/** Detects that the store clock was set or that this server was suspended. Due times are wrong in both cases. */
export class ClockJumpDetector {
  readonly #ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>;
  #last: { readonly storeMs: number; readonly monotonicMs: number } | undefined;

  constructor(ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>) {
    this.#ports = ports;
  }

  /** The first call has no reference, so it always repairs the due times. */
  async check(): Promise<void> {
    const { store, clock, log } = this.#ports;
    const now = { storeMs: await store.reads.nowMs(), monotonicMs: clock.monotonicMs() };
    const last = this.#last;
    this.#last = now;
    const jumpMs = last ? now.storeMs - last.storeMs - (now.monotonicMs - last.monotonicMs) : undefined;
    if (jumpMs !== undefined && Math.abs(jumpMs) < MAX_DRIFT_MS) return;
    if (jumpMs !== undefined) log.warn({ byMs: Math.round(jumpMs) }, 'clock jump detected; repairing due times');
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

const RENEWALS_PER_LEASE = 3;

export interface LeaseContext {
  readonly lease: Lease;
  readonly batch: HealthCheckBatch;
}

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

  /** `onHeartbeat` is called after every heartbeat, even if the store failed. */
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

  stopHeartbeat(): void {
    this.#isStopped = true;
    this.#cancelHeartbeat();
  }

  async release(): Promise<void> {
    this.stopHeartbeat();
    await this.#context.lease.release().catch(error => {
      this.#ports.log.warn({ err: error }, 'failed to release the lease; other servers must wait until it expires');
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
      this.#ports.log.error({ err: error }, 'heartbeat failed; retrying');
    }
  }

  async #reacquire(): Promise<void> {
    const lease = await Lease.acquire(this.#ports, this.#context.lease);
    // Logged after the acquisition, because the acquisition is retried while the store is unavailable.
    this.#ports.log.warn('lease lost; another server may have taken over; registering again');
    this.#ports.metrics.leaseLost();
    this.#context = { lease, batch: new HealthCheckBatch(this.#ports, lease) };
    // The server was suspended or the store was unavailable, so many hosts can be overdue.
    await this.#clockJumps.repairDueTimes();
  }
}
