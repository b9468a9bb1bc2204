import type { RecordName } from '../domain/record-name.ts';

/**
 * Clusters in which something has happened that may let an operation go on. It is only kept here: what is lost with a server is found again when
 * operations are looked at anyway.
 */
export class News {
  readonly #onNews: () => void;
  #clusters = new Set<RecordName>();

  constructor(onNews: () => void) {
    this.#onNews = onNews;
  }

  add(cluster: RecordName): void {
    this.#clusters.add(cluster);
    this.#onNews();
  }

  get isEmpty(): boolean {
    return this.#clusters.size === 0;
  }

  /** All that have come in since. */
  take(): readonly RecordName[] {
    const clusters = [...this.#clusters];
    this.#clusters = new Set();
    return clusters;
  }
}
