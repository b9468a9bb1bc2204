// The objects. What must hold: one counter rises with every change of any of them, each state is kept with the counter it was made
// at, and what is kept is never changed in place.

import type { KubeObject } from './objects.ts';
import type { Resource } from './resources.ts';

/** An object came (no `before`), was changed, or went (no `after`). */
export interface Change {
  readonly revision: number;
  readonly resource: Resource;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

const keyOf = ({ group, plural }: Resource, namespace: string, name: string) =>
  [group, plural, namespace, name].join('/');

export class ObjectStore {
  readonly #objects = new Map<string, KubeObject>();
  readonly #changes: Change[] = [];
  readonly #untold: Change[] = [];
  readonly #listeners = new Set<(change: Change) => void>();
  #revision = 1;
  /** States before it are forgotten. */
  #compactedTo = 0;

  get revision(): number {
    return this.#revision;
  }

  get compactedTo(): number {
    return this.#compactedTo;
  }

  /** A copy, which may be changed and written. */
  get(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    return structuredClone(this.#objects.get(keyOf(resource, namespace, name)));
  }

  /** Of one namespace or, with none, of all; in the order of their keys. */
  list(resource: Resource, namespace: string, revision = this.#revision): readonly KubeObject[] {
    const prefix = keyOf(resource, namespace, '').replace(/\/+$/, '/');
    const keyed = [...this.#at(revision)].filter(([key]) => key.startsWith(prefix));
    return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
  }

  /** Makes it new or replaces it, and answers it with its new version. */
  write(resource: Resource, object: KubeObject): KubeObject {
    const { namespace = '', name } = object.metadata;
    const key = keyOf(resource, namespace, name);
    const before = this.#objects.get(key);
    const after = this.#versioned(object);
    this.#objects.set(key, after);
    this.#tell({ revision: this.#revision, resource, ...(before === undefined ? {} : { before }), after });
    return structuredClone(after);
  }

  /** Answers its last state, with the version at which it went. */
  remove(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    const key = keyOf(resource, namespace, name);
    const last = this.#objects.get(key);
    if (last === undefined) return undefined;
    this.#objects.delete(key);
    const before = this.#versioned(last);
    this.#tell({ revision: this.#revision, resource, before });
    return structuredClone(before);
  }

  changesSince(revision: number): readonly Change[] {
    return this.#changes.filter(change => change.revision > revision);
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets how it came to this, as etcd does every few minutes. */
  compact(): void {
    this.#compactedTo = this.#revision;
  }

  #versioned(object: KubeObject): KubeObject {
    this.#revision += 1;
    const copy = structuredClone(object);
    copy.metadata.resourceVersion = String(this.#revision);
    return copy;
  }

  /** Whoever changes something because of a change is heard after it, by everybody in the same order. */
  #tell(change: Change): void {
    this.#changes.push(change);
    this.#untold.push(change);
    if (this.#untold.length > 1) return;
    for (let next = this.#untold[0]; next !== undefined; next = this.#untold[0]) {
      for (const listener of [...this.#listeners]) listener(next);
      this.#untold.shift();
    }
  }

  #at(revision: number): ReadonlyMap<string, KubeObject> {
    if (revision >= this.#revision) return this.#objects;
    const objects = new Map<string, KubeObject>();
    for (const { resource, before, after, revision: madeAt } of this.#changes) {
      if (madeAt > revision) break;
      const { namespace = '', name = '' } = (after ?? before)?.metadata ?? {};
      const key = keyOf(resource, namespace, name);
      if (after === undefined) objects.delete(key);
      else objects.set(key, after);
    }
    return objects;
  }
}
