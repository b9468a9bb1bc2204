import type { Claim } from '../../domain/tasks/host-queue.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';

const FLUSH_DELAY_MS = 250;
/** Limit of one SQL statement. */
const MAX_BATCH_SIZE = 500;

/** Batches checks that found a host unchanged. Only the time of the check is written. */
export class HealthCheckBatch {
  readonly #ports: EnginePorts;
  readonly #lease: Lease;
  #pending: { claim: Claim; settle: (error?: unknown) => void }[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(ports: EnginePorts, lease: Lease) {
    this.#ports = ports;
    this.#lease = lease;
  }

  add(claim: Claim): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error));
      this.#pending.push({ claim, settle });
      if (this.#pending.length >= MAX_BATCH_SIZE) void this.flush();
      else this.#cancelTimer ??= this.#ports.clock.setTimer(FLUSH_DELAY_MS, () => void this.flush());
    });
  }

  async flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    let failure: unknown;
    try {
      await this.#write(batch.map(({ claim }) => claim));
    } catch (error) {
      failure = error;
    }
    for (const { settle } of batch) settle(failure);
  }

  async #write(claims: readonly Claim[]): Promise<void> {
    const { store, clock, settings } = this.#ports;
    this.#lease.assertHeld();
    const hosts = claims.map(claim => claim.host);
    await store.transaction(async records => {
      await records.healthChecks.lockHosts(hosts);
      const now = await records.nowMs();
      const claimer = { owner: this.#lease.incarnation, now };
      const released = await records.claims.releaseHealthy(hosts, claimer, settings.checkIntervalMs);
      await records.healthChecks.recordPassed(released, formatTimestamp(clock.now()));
    });
  }
}
