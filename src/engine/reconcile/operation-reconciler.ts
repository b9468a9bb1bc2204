import { StoreUnavailableError } from '../../domain/errors.ts';
import type { Lease } from '../lease.ts';
import { ClaimLostError } from '../lease.ts';
import type { RunPorts } from '../ports.ts';
import { RESYNC_INTERVAL_MS, reconcileOperation } from './reconcile-operation.ts';

const MAX_PER_POLL = 20;

/**
 * Reconciles operations on this server, at most one run per operation at a time. A request during a run causes another
 * run.
 */
export class OperationReconciler {
  readonly #ports: RunPorts;
  readonly #onReconciled: () => void;
  readonly #inProgress = new Map<string, { promise: Promise<void>; needsRerun: boolean }>();

  constructor(ports: RunPorts, onReconciled: () => void) {
    this.#ports = ports;
    this.#onReconciled = onReconciled;
  }

  async reconcileDue(lease: Lease, now: number): Promise<void> {
    const { reconcileQueue, store } = this.#ports;
    const { operations } = store.reads;
    for (const id of await operations.listDueIds(now, MAX_PER_POLL + this.#inProgress.size))
      if (!this.#inProgress.has(id)) this.#start(lease, id);
    for (const cluster of reconcileQueue.takeAll()) {
      const open = await operations.getOpen(cluster);
      const running = open && this.#inProgress.get(open.id);
      if (running) running.needsRerun = true;
      else if (open) this.#start(lease, open.id);
    }
  }

  async nextDue(): Promise<number | null> {
    return this.#ports.store.reads.operations.getNextDue([...this.#inProgress.keys()]);
  }

  async waitForIdle(): Promise<void> {
    await Promise.allSettled([...this.#inProgress.values()].map(({ promise }) => promise));
  }

  #start(lease: Lease, id: string): void {
    const promise = this.#reconcile(lease, id).finally(() => {
      const needsRerun = this.#inProgress.get(id)?.needsRerun === true;
      this.#inProgress.delete(id);
      if (needsRerun && lease.isHeld()) this.#start(lease, id);
      this.#onReconciled();
    });
    this.#inProgress.set(id, { promise, needsRerun: false });
  }

  /** An error in one operation does not affect the others. */
  async #reconcile(lease: Lease, id: string): Promise<void> {
    const { store, log } = this.#ports;
    try {
      await reconcileOperation(this.#ports, lease, id);
    } catch (error) {
      if (error instanceof ClaimLostError || error instanceof StoreUnavailableError) return;
      log.error({ err: error, operation: id }, 'failed to reconcile an operation; retrying');
      await store
        .transaction(async records =>
          records.operations.scheduleReconcile(id, (await records.nowMs()) + RESYNC_INTERVAL_MS),
        )
        .catch(() => {});
    }
  }
}
