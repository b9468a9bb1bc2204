import { ClockShift } from './clock-shift.ts';
import { Lease } from './lease.ts';
import type { EnginePorts } from './ports.ts';
import { CheckBatch } from './watch/check-batch.ts';

/** Renewed so many times within one lease. */
const RENEWALS_PER_LEASE = 3;

/** What a server has for as long as it has its lease. */
export interface Hold {
  readonly lease: Lease;
  readonly batch: CheckBatch;
}

/** A server's time at the store: its lease, kept by a heartbeat, and what ends with it. When it is lost another begins. */
export class Tenure {
  readonly #ports: EnginePorts;
  readonly #onBeat: () => void;
  readonly #clockShift: ClockShift;
  #hold: Hold;
  #isOver = false;
  #cancelHeartbeat = () => {};

  private constructor(ports: EnginePorts, lease: Lease, onBeat: () => void) {
    this.#ports = ports;
    this.#onBeat = onBeat;
    this.#clockShift = new ClockShift(ports);
    this.#hold = { lease, batch: new CheckBatch(ports, lease) };
  }

  /** Enters the store. `onBeat` is called now and then, whatever else happens. */
  static async begin(ports: EnginePorts, onBeat: () => void): Promise<Tenure> {
    const tenure = new Tenure(ports, await Lease.take(ports), onBeat);
    try {
      await tenure.#clockShift.look();
    } catch (error) {
      await tenure.end();
      throw error;
    }
    tenure.#beat();
    return tenure;
  }

  get hold(): Hold {
    return this.#hold;
  }

  /** No heartbeat any more; the lease is held for as long as it lasts. */
  stopBeating(): void {
    this.#isOver = true;
    this.#cancelHeartbeat();
  }

  /** Leaves the store in order, if it can be reached. */
  async end(): Promise<void> {
    this.stopBeating();
    await this.#hold.lease.giveUp().catch(error => {
      this.#ports.log.warn(
        { err: error },
        'failed to release the lease; other servers must wait until it expires',
      );
    });
  }

  #beat(): void {
    const { clock, settings } = this.#ports;
    this.#cancelHeartbeat = clock.after(settings.leaseMs / RENEWALS_PER_LEASE, async () => {
      await this.#keep();
      if (this.#isOver) return;
      this.#beat();
      this.#onBeat();
    });
  }

  async #keep(): Promise<void> {
    const { lease } = this.#hold;
    await lease.renew();
    if (this.#isOver) return;
    try {
      if (lease.isHeld()) await this.#clockShift.look();
      else await this.#beginAnew();
    } catch (error) {
      this.#ports.log.error({ err: error }, 'store query failed; retrying');
    }
  }

  async #beginAnew(): Promise<void> {
    const lease = await Lease.take(this.#ports, this.#hold.lease);
    // Only now: while the store is away this is tried again and again.
    this.#ports.log.warn('lease lost; another server may have taken over; registering again');
    this.#ports.meter?.leaseLost();
    this.#hold = { lease, batch: new CheckBatch(this.#ports, lease) };
    // It was asleep, or the store away: much may be overdue.
    await this.#clockShift.putInOrder();
  }
}
