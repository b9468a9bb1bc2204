import { rateLimitKey } from '../../domain/addresses/address.ts';
import type { QueueGroup } from '../../lib/fair-queue.ts';
import { LruMap } from '../../lib/lru-map.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { DAY_MS } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';

const RETENTION_MS = 30 * DAY_MS;
/** Per network. */
const WRITE_INTERVAL_MS = DAY_MS;
const MAX_NETWORKS = 10_000;

/**
 * Networks with a recent password sign-in get half of the hashing capacity, so guesses from other networks cannot lock
 * out their users.
 */
export class TrustedNetworks {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #writtenAtMs = new LruMap<string, number>(MAX_NETWORKS);

  constructor(store: Store, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  async groupFor(address: string): Promise<QueueGroup> {
    const network = rateLimitKey(address);
    const lastAtMs = await this.#store.reads.signInNetworks.getLastSignIn(network);
    const isTrusted = lastAtMs !== undefined && lastAtMs > (await this.#store.reads.nowMs()) - RETENTION_MS;
    return { name: network, isPrivileged: isTrusted };
  }

  async recordLogin(address: string): Promise<void> {
    const network = rateLimitKey(address);
    const nowMs = this.#clock.monotonicMs();
    const writtenAtMs = this.#writtenAtMs.get(network);
    if (writtenAtMs !== undefined && nowMs - writtenAtMs < WRITE_INTERVAL_MS) return;
    // Before the write, so concurrent logins do not write the same network.
    this.#writtenAtMs.set(network, nowMs);
    try {
      await this.#write(network);
    } catch (error) {
      this.#writtenAtMs.delete(network);
      throw error;
    }
  }

  #write(network: string): Promise<void> {
    return this.#store.transaction(async records => {
      const nowMs = await records.nowMs();
      await records.signInNetworks.put(network, nowMs);
      await records.signInNetworks.removeBefore(nowMs - RETENTION_MS);
    });
  }
}
