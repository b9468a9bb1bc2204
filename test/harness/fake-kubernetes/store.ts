// Object store. Every change increments one revision counter, all states are kept with their revision, and
// stored objects are never mutated.

import type { KubeObject } from './objects.ts';
import type { Resource } from './resources.ts';

/** No `before`: created. No `after`: removed. */
export interface Change {
  readonly revision: number;
  readonly resource: Resource;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

const toKey = ({ group, plural }: Resource, namespace: string, name: string) =>
  [group, plural, namespace, name].join('/');

export class ObjectStore {
  readonly #objects = new Map<string, KubeObject>();
  readonly #changes: Change[] = [];
  readonly #unpublished: Change[] = [];
  readonly #listeners = new Set<(change: Change) => void>();
  #revision = 1;
  /** Earlier states are expired. */
  #compactedTo = 0;

  get revision(): number {
    return this.#revision;
  }

  get compactedTo(): number {
    return this.#compactedTo;
  }

  /** Returns a copy. */
  get(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    return structuredClone(this.#objects.get(toKey(resource, namespace, name)));
  }

  /** An empty namespace lists all namespaces. Sorted by key. */
  list(resource: Resource, namespace: string, revision = this.#revision): readonly KubeObject[] {
    const prefix = toKey(resource, namespace, '').replace(/\/+$/, '/');
    const keyed = [...this.#at(revision)].filter(([key]) => key.startsWith(prefix));
    return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** Creates or replaces the object; returns it with its new version. */
  write(resource: Resource, object: KubeObject): KubeObject {
    const { namespace = '', name } = object.metadata;
    const key = toKey(resource, namespace, name);
    const before = this.#objects.get(key);
    const after = this.#versioned(object);
    this.#objects.set(key, after);
    this.#publish({ revision: this.#revision, resource, ...(before === undefined ? {} : { before }), after });
    return structuredClone(after);
  }

  /** Returns the last state with the version of the removal. */
  remove(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    const key = toKey(resource, namespace, name);
    const last = this.#objects.get(key);
    if (last === undefined) return undefined;
    this.#objects.delete(key);
    const before = this.#versioned(last);
    this.#publish({ revision: this.#revision, resource, before });
    return structuredClone(before);
  }

  changesSince(revision: number): readonly Change[] {
    return this.#changes.filter(change => change.revision > revision);
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Expires old revisions, as etcd does every few minutes. */
  compact(): void {
    this.#compactedTo = this.#revision;
  }

  #versioned(object: KubeObject): KubeObject {
    this.#revision += 1;
    const copy = structuredClone(object);
    copy.metadata.resourceVersion = String(this.#revision);
    return copy;
  }

  /**
   * Changes that a listener makes are published after the current one, so that all listeners see the same
   * order.
   */
  #publish(change: Change): void {
    this.#changes.push(change);
    this.#unpublished.push(change);
    if (this.#unpublished.length > 1) return;
    for (let next = this.#unpublished[0]; next !== undefined; next = this.#unpublished[0]) {
      for (const listener of [...this.#listeners]) listener(next);
      this.#unpublished.shift();
    }
  }

  #at(revision: number): ReadonlyMap<string, KubeObject> {
    if (revision >= this.#revision) return this.#objects;
    const objects = new Map<string, KubeObject>();
    for (const { resource, before, after, revision: changedAt } of this.#changes) {
      if (changedAt > revision) break;
      const { namespace = '', name = '' } = (after ?? before)?.metadata ?? {};
      const key = toKey(resource, namespace, name);
      if (after === undefined) objects.delete(key);
      else objects.set(key, after);
    }
    return objects;
  }
}
