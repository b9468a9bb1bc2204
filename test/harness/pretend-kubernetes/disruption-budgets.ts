import type { Cluster } from './cluster.ts';
import { isReady } from './eviction.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { fieldsAt, isSame, listAt } from './objects.ts';
import { DISRUPTION_BUDGETS, PODS } from './resources.ts';
import { objectSelector } from './selectors.ts';
import { tidy } from './tidy.ts';

/** A number, or a percentage of `total`, rounded up. */
function scaled(value: Json | undefined, total: number): number {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d+)%$/.exec(typeof value === 'string' ? value : '') ?? [];
  return Math.ceil((Number(percent ?? 0) * total) / 100);
}

const hasController = (pod: KubeObject) =>
  listAt(pod, 'metadata', 'ownerReferences').some(owner => fieldsAt(owner)['controller'] === true);

/** The controller that works out how many pods may go now. After pkg/controller/disruption. */
export class DisruptionBudgets {
  readonly #cluster: Cluster;
  /** By uid: as many pods as were there at once. Their controllers want so many again. */
  readonly #most = new Map<string, number>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    cluster.store.onChange(({ resource, before, after }) => {
      const namespace = (after ?? before)?.metadata.namespace ?? '';
      if (resource === PODS || resource === DISRUPTION_BUDGETS) this.#settle(namespace);
    });
  }

  #settle(namespace: string): void {
    const { store, settings, writtenBudgets } = this.#cluster;
    if (!settings.keepsBudgets) return;
    for (const budget of store.list(DISRUPTION_BUDGETS, namespace)) {
      if (writtenBudgets.has(budget.metadata.uid)) continue;
      const next = tidy({ ...structuredClone(budget), status: this.#statusOf(budget) });
      if (!isSame(next, budget)) store.write(DISRUPTION_BUDGETS, next);
    }
  }

  #statusOf(budget: KubeObject): Fields {
    const { uid, namespace = '', generation = 0 } = budget.metadata;
    const selector = objectSelector(fieldsAt(budget, 'spec', 'selector'));
    const pods = this.#cluster.store.list(PODS, namespace).filter(pod => selector?.(pod) ?? false);
    const present = pods.filter(pod => pod.metadata.deletionTimestamp === undefined);
    const disrupted = Object.entries(fieldsAt(budget, 'status', 'disruptedPods')).filter(([name]) =>
      present.some(pod => pod.metadata.name === name),
    );
    const leaving = disrupted.map(([name]) => name);
    const healthy = present.filter(pod => isReady(pod) && !leaving.includes(pod.metadata.name)).length;
    const most = Math.max(this.#most.get(uid) ?? 0, pods.length);
    this.#most.set(uid, most);
    const { minAvailable, maxUnavailable } = fieldsAt(budget, 'spec');
    const isByScale = maxUnavailable !== undefined || typeof minAvailable === 'string';
    const expected = isByScale ? most : pods.length;
    const desired =
      maxUnavailable === undefined
        ? scaled(minAvailable, expected)
        : Math.max(0, expected - scaled(maxUnavailable, expected));
    // Without controllers nobody knows how many there should be; then none may go.
    const isKnown = expected > 0 && (!isByScale || pods.every(hasController));
    return {
      observedGeneration: generation,
      disruptionsAllowed: isKnown ? Math.max(0, healthy - desired) : 0,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      disruptedPods: Object.fromEntries(disrupted),
    };
  }
}
