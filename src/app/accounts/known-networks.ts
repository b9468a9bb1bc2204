import { rateLimitKey } from '../../domain/addresses/address.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { DAY_MS } from '../../lib/time/day.ts';
import type { TurnGroup } from '../../lib/turns/fair-turns.ts';
import type { Store } from '../../store/store.ts';

const KNOWN_FOR_MS = 30 * DAY_MS;
/** A network is written at most once in this time. */
const WRITE_EVERY_MS = DAY_MS;
const MAX_REMEMBERED = 10_000;

/**
 * Networks with a sign-in by password within the last 30 days. Half of the places for hashes are theirs, so that guesses from other networks do not
 * keep their users out.
 */
export class KnownNetworks {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** The time of this server's last write, by network. */
  readonly #writtenAtMs = new Map<string, number>();

  constructor(store: Store, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  async groupOf(address: string): Promise<TurnGroup> {
    const network = rateLimitKey(address);
    const lastAtMs = await this.#store.reads.signInNetworks.lastAt(network);
    const isKnown = lastAtMs !== undefined && lastAtMs > (await this.#store.reads.nowMs()) - KNOWN_FOR_MS;
    return { name: network, isPrivileged: isKnown };
  }

  /** Records a successful login. */
  async add(address: string): Promise<void> {
    const network = rateLimitKey(address);
    const nowMs = this.#clock.monotonicMs();
    const writtenAtMs = this.#writtenAtMs.get(network);
    if (writtenAtMs !== undefined && nowMs - writtenAtMs < WRITE_EVERY_MS) return;
    // Before the write, so that concurrent logins do not write the same network.
    this.#remember(network, nowMs);
    try {
      await this.#write(network);
    } catch (error) {
      this.#writtenAtMs.delete(network);
      throw error;
    }
  }

  #remember(network: string, nowMs: number): void {
    this.#writtenAtMs.set(network, nowMs);
    const [oldest] = this.#writtenAtMs.keys();
    if (this.#writtenAtMs.size > MAX_REMEMBERED && oldest !== undefined) this.#writtenAtMs.delete(oldest);
  }

  #write(network: string): Promise<void> {
    return this.#store.transaction(async records => {
      const nowMs = await records.nowMs();
      await records.signInNetworks.put(network, nowMs);
      await records.signInNetworks.removeBefore(nowMs - KNOWN_FOR_MS);
    });
  }
}
