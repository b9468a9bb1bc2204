/** When the map is full, it drops the entry that was set least recently. Reading an entry does not renew it. */
export class LruMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: Key, value: Value): this {
    // Reinserted at the end: the first key is always the oldest.
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.#maxSize) break;
      this.delete(oldest);
    }
    return this;
  }
}
