import { StoreUnavailable } from '../../domain/errors.ts';
import type { Lease } from '../lease.ts';
import { LostClaim } from '../lease.ts';
import type { TurnPorts } from '../ports.ts';
import { decisionTurn, LOOK_ANYWAY_MS } from './decision-turn.ts';

/** How many operations are taken up in one look. */
const AT_ONCE = 20;

/** Which operations are being decided on by this server. One is never decided on twice at the same time; what comes in meanwhile is looked at after. */
export class Decisions {
  readonly #ports: TurnPorts;
  readonly #onDecided: () => void;
  readonly #underWay = new Map<string, { promise: Promise<void>; isStale: boolean }>();

  constructor(ports: TurnPorts, onDecided: () => void) {
    this.#ports = ports;
    this.#onDecided = onDecided;
  }

  /** Takes up operations that are due, or in whose clusters something has happened. */
  async takeUp(lease: Lease, now: number): Promise<void> {
    const { news, store } = this.#ports;
    const { operations } = store.reads;
    for (const id of await operations.due(now, AT_ONCE + this.#underWay.size))
      if (!this.#underWay.has(id)) this.#begin(lease, id);
    for (const cluster of news.take()) {
      const open = await operations.openIn(cluster);
      const deciding = open && this.#underWay.get(open.id);
      if (deciding) deciding.isStale = true;
      else if (open) this.#begin(lease, open.id);
    }
  }

  /** When the next is due that nobody here is at; null: none is. */
  async nextDue(): Promise<number | null> {
    return this.#ports.store.reads.operations.nextDue([...this.#underWay.keys()]);
  }

  /** Resolves when nothing is being decided on. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ promise }) => promise));
  }

  #begin(lease: Lease, id: string): void {
    const promise = this.#decide(lease, id).finally(() => {
      const isStale = this.#underWay.get(id)?.isStale === true;
      this.#underWay.delete(id);
      if (isStale && lease.isHeld()) this.#begin(lease, id);
      this.#onDecided();
    });
    this.#underWay.set(id, { promise, isStale: false });
  }

  /** What breaks at one operation holds up no other. */
  async #decide(lease: Lease, id: string): Promise<void> {
    const { store, log } = this.#ports;
    try {
      await decisionTurn(this.#ports, lease, id);
    } catch (error) {
      if (error instanceof LostClaim || error instanceof StoreUnavailable) return;
      log.error({ err: error, operation: id }, 'failed to reconcile an operation; retrying');
      await store
        .transaction(async records => records.operations.setDue(id, (await records.nowMs()) + LOOK_ANYWAY_MS))
        .catch(() => {});
    }
  }
}
