import type { HostProgress } from './host-progress.ts';

/** The hosts of an operation in the order of its plan, which never changes: to know some of them anew costs a copy of a list, not of an index. */
export class HostsInOrder {
  readonly list: readonly HostProgress[];
  readonly #places: ReadonlyMap<string, number>;

  private constructor(list: readonly HostProgress[], places: ReadonlyMap<string, number>) {
    [this.list, this.#places] = [list, places];
  }

  static of(list: readonly HostProgress[]): HostsInOrder {
    return new HostsInOrder(list, new Map(list.map(({ address }, place) => [address, place])));
  }

  get size(): number {
    return this.list.length;
  }

  /** Its place in the list; `undefined`: it is none of them. */
  placeOf(address: string): number | undefined {
    return this.#places.get(address);
  }

  get(address: string): HostProgress | undefined {
    const place = this.#places.get(address);
    return place === undefined ? undefined : this.list[place];
  }

  values(): IterableIterator<HostProgress> {
    return this.list.values();
  }

  /** The same with these in the places of those that were. */
  with(changed: ReadonlyMap<string, HostProgress>): HostsInOrder {
    const list = [...this.list];
    for (const [address, host] of changed) {
      const place = this.#places.get(address);
      if (place !== undefined) list[place] = host;
    }
    return new HostsInOrder(list, this.#places);
  }
}
