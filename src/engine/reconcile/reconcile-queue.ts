import type { RecordName } from '../../domain/record-name.ts';

/**
 * Clusters in which something has happened that may let an operation go on. It is only kept here: what is lost with a server is found again when
 * operations are looked at anyway.
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

  /** All that have come in since. */
  takeAll(): readonly RecordName[] {
    const clusters = [...this.#clusters];
    this.#clusters = new Set();
    return clusters;
  }
}
