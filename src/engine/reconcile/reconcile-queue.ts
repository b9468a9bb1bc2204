import type { RecordName } from '../../domain/record-name.ts';

/**
 * Clusters whose operation may be able to make progress. The queue is only in memory; the periodic resync finds entries
 * that a crash loses.
 */
export class ReconcileQueue {
  readonly #onEnqueue: () => void;
  #clusters = new Set<RecordName>();

  constructor(onEnqueue: () => void) {
    this.#onEnqueue = onEnqueue;
  }

  enqueue(cluster: RecordName): void {
    this.#clusters.add(cluster);
    this.#onEnqueue();
  }

  get isEmpty(): boolean {
    return this.#clusters.size === 0;
  }

  takeAll(): readonly RecordName[] {
    const clusters = [...this.#clusters];
    this.#clusters = new Set();
    return clusters;
  }
}
