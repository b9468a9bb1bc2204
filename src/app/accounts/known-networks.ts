import { callerNetwork } from '../../domain/addresses/caller-network.ts';
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
  /** When this server has written a network last. */
  readonly #writtenAtMs = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  async groupOf(address: string): Promise<TurnGroup> {
    const network = callerNetwork(address);
    const lastAtMs = await this.#store.reads.signInNetworks.lastAt(network);
    const isKnown = lastAtMs !== undefined && lastAtMs > (await this.#store.reads.nowMs()) - KNOWN_FOR_MS;
    return { name: network, isPrivileged: isKnown };
  }

  /** After a successful login from this address. */
  async add(address: string): Promise<void> {
    const network = callerNetwork(address);
    const nowMs = await this.#store.reads.nowMs();
    const writtenAtMs = this.#writtenAtMs.get(network);
    if (writtenAtMs !== undefined && nowMs - writtenAtMs < WRITE_EVERY_MS) return;
    await this.#store.transaction(async ({ signInNetworks }) => {
      await signInNetworks.put(network, nowMs);
      await signInNetworks.removeBefore(nowMs - KNOWN_FOR_MS);
    });
    this.#writtenAtMs.set(network, nowMs);
    const [oldest] = this.#writtenAtMs.keys();
    if (this.#writtenAtMs.size > MAX_REMEMBERED && oldest !== undefined) this.#writtenAtMs.delete(oldest);
  }
}
