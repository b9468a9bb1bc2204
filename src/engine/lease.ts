// All claims of a server are valid while the server renews its lease.
// Invariant: a server treats its lease as expired earlier than other servers do, by its own clocks. An expired lease is
// never revived: the server acquires a new one with a new incarnation.

import { newId } from '../lib/random.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { EnginePorts } from './ports.ts';

type LeasePorts = Pick<EnginePorts, 'store' | 'clock' | 'log' | 'ownBootId'> & {
  readonly settings: Pick<EnginePorts['settings'], 'leaseMs'>;
};

/** Thrown when another server can have claimed the host. The caller must not send or write anything. */
export class ClaimLostError extends Error {}

/** Fraction of the lease reserved for clock differences and running requests. */
const SAFETY_MARGIN = 0.2;

export class Lease {
  /** Identifies this server in the store; a new one for each lease. */
  readonly incarnation = newId();
  readonly #ports: LeasePorts;
  readonly #lost = new AbortController();
  /** Checked against both clocks: the monotonic clock can stop during suspend, and the wall clock can be set. */
  #heldUntil = { monotonicMs: 0, wallMs: 0 };
  #cancelExpiry = () => {};

  private constructor(ports: LeasePorts) {
    this.#ports = ports;
  }

  /** Releases the claims of the previous incarnation, which can no longer write. */
  static async acquire(ports: LeasePorts, previous?: Lease): Promise<Lease> {
    const lease = new Lease(ports);
    await lease.#extend(async (records, _now, until) => {
      if (previous) {
        await records.claims.releaseAll(previous.incarnation);
        await records.servers.unregister(previous.incarnation);
      }
      await records.servers.register(lease.incarnation, until, ports.ownBootId);
      return true;
    });
    return lease;
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    if (this.#lost.signal.aborted) return false;
    const { clock } = this.#ports;
    const { monotonicMs, wallMs } = this.#heldUntil;
    if (clock.monotonicMs() < monotonicMs && clock.now() < wallMs) return true;
    this.#markLost();
    return false;
  }

  /** Must be called directly before anything is sent or written. */
  assertHeld(): void {
    if (!this.isHeld()) throw new ClaimLostError();
  }

  /** If the store fails, the next heartbeat tries again. */
  async renew(): Promise<void> {
    if (!this.isHeld()) return;
    try {
      await this.#extend((records, now, until) => records.servers.renew(this.incarnation, now, until));
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'failed to renew the lease');
    }
  }

  async release(): Promise<void> {
    this.#markLost();
    await this.#ports.store.transaction(async records => {
      await records.claims.releaseAll(this.incarnation);
      await records.servers.unregister(this.incarnation);
    });
  }

  async #extend(write: (records: Repositories, now: number, until: number) => Promise<boolean>): Promise<void> {
    const { store, clock, settings } = this.#ports;
    // The lease counts from before the request, because the store can be slow.
    const [monotonicMs, wallMs] = [clock.monotonicMs(), clock.now()];
    const isRenewed = await store.transaction(async records => {
      const now = await records.nowMs();
      return write(records, now, now + settings.leaseMs);
    });
    if (!isRenewed) {
      this.#markLost();
      return;
    }
    const heldMs = settings.leaseMs * (1 - SAFETY_MARGIN);
    this.#heldUntil = { monotonicMs: monotonicMs + heldMs, wallMs: wallMs + heldMs };
    this.#cancelExpiry();
    this.#cancelExpiry = clock.setTimer(monotonicMs + heldMs - clock.monotonicMs(), () => this.isHeld());
  }

  #markLost(): void {
    this.#cancelExpiry();
    this.#lost.abort();
  }
}
