// What makes a server one that may work: a row in the store that says until when it counts as alive. All claims of the server live
// as long as that row is renewed. What must hold: this server stops believing in its lease before any other does, by its own clock;
// and once it has, it never does again: it begins anew under another name.

import { newId } from '../lib/random.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { EnginePorts } from './ports.ts';

type LeasePorts = Pick<EnginePorts, 'store' | 'clock' | 'log' | 'ownBootId'> & {
  readonly settings: Pick<EnginePorts['settings'], 'leaseMs'>;
};

/** Somebody else may have the host by now: nothing is sent, nothing is written. */
export class ClaimLostError extends Error {}

/** This part of a lease is left to clocks that differ and to what is under way. */
const SAFETY_MARGIN = 0.2;

export class Lease {
  /** Names this server in the store, from one start to the next. */
  readonly incarnation = newId();
  readonly #ports: LeasePorts;
  readonly #lost = new AbortController();
  /** By both clocks: one may stand still while the machine sleeps, the other may be set. */
  #heldUntil = { monotonicMs: 0, wallMs: 0 };
  #cancelExpiry = () => {};

  private constructor(ports: LeasePorts) {
    this.#ports = ports;
  }

  /** Enters the store as a new server. What the same server had under another name is free: it cannot be written to any more. */
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

  /** Aborted when the lease is lost. */
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

  /** Called right before anything is sent or written. */
  assertHeld(): void {
    if (!this.isHeld()) throw new ClaimLostError();
  }

  /** Keeps the lease for another while, if it is not too late. A store that is away is asked again next time. */
  async renew(): Promise<void> {
    if (!this.isHeld()) return;
    try {
      await this.#extend((records, now, until) => records.servers.renew(this.incarnation, now, until));
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'failed to renew the lease');
    }
  }

  /** Leaves the store in order: what was claimed can be claimed by others at once. */
  async release(): Promise<void> {
    this.#markLost();
    await this.#ports.store.transaction(async records => {
      await records.claims.releaseAll(this.incarnation);
      await records.servers.unregister(this.incarnation);
    });
  }

  async #extend(
    write: (records: Repositories, now: number, until: number) => Promise<boolean>,
  ): Promise<void> {
    const { store, clock, settings } = this.#ports;
    // Counted from before the store was asked: it may have taken its time.
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
