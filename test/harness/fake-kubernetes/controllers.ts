import type { Cluster, Target } from './cluster.ts';
import { deleteObject } from './delete.ts';
import { isReady } from './eviction.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { at, fieldsAt, findCondition, formatTime, isSame, listAt, omitEmptyFields, textAt } from './objects.ts';
import { objectSelector } from './read.ts';
import { DISRUPTION_BUDGETS, NODES, PODS } from './resources.ts';

const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

const isTaint = (taint: Parameters<typeof textAt>[0]) => textAt(taint, 'key') === UNSCHEDULABLE;

/** The controller that taints cordoned nodes. It changes the version of a node shortly after a cordon. */
export function taintCordoned({ store, clock, settings }: Cluster): void {
  const reconcile = (node: KubeObject) => {
    const taints = listAt(node, 'spec', 'taints');
    const isCordoned = at(node, 'spec', 'unschedulable') === true;
    if (isCordoned === taints.some(isTaint)) return;
    const added = { key: UNSCHEDULABLE, effect: 'NoSchedule', timeAdded: formatTime(clock.now()) };
    const others = taints.filter(taint => !isTaint(taint));
    const spec = { ...fieldsAt(node, 'spec'), taints: isCordoned ? [...others, added] : others };
    store.write(NODES, omitEmptyFields({ ...node, spec }));
  };
  store.onChange(({ resource, after }) => {
    if (resource !== NODES || after === undefined || !settings.taintsCordoned) return;
    const latest = store.get(NODES, '', after.metadata.name);
    if (latest !== undefined) reconcile(latest);
  });
}

/** A number, or a percentage of `total`, rounded up. */
function resolveCount(value: Json | undefined, total: number): number {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d+)%$/.exec(typeof value === 'string' ? value : '') ?? [];
  return Math.ceil((Number(percent ?? 0) * total) / 100);
}

const hasController = (pod: KubeObject) =>
  listAt(pod, 'metadata', 'ownerReferences').some(owner => fieldsAt(owner)['controller'] === true);

/** Computes the allowed disruptions, after pkg/controller/disruption. */
export class DisruptionBudgets {
  readonly #cluster: Cluster;
  /** Highest number of pods by uid of the budget, in place of the desired scale of their controllers. */
  readonly #maxPods = new Map<string, number>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    cluster.store.onChange(({ resource, before, after }) => {
      const namespace = (after ?? before)?.metadata.namespace ?? '';
      if (resource === PODS || resource === DISRUPTION_BUDGETS) this.#reconcile(namespace);
    });
  }

  #reconcile(namespace: string): void {
    const { store, settings, writtenBudgets } = this.#cluster;
    if (!settings.computesBudgets) return;
    for (const budget of store.list(DISRUPTION_BUDGETS, namespace)) {
      if (writtenBudgets.has(budget.metadata.uid)) continue;
      const next = omitEmptyFields({ ...structuredClone(budget), status: this.#computeStatus(budget) });
      if (!isSame(next, budget)) store.write(DISRUPTION_BUDGETS, next);
    }
  }

  #computeStatus(budget: KubeObject): Fields {
    const { uid, namespace = '', generation = 0 } = budget.metadata;
    const selector = objectSelector(fieldsAt(budget, 'spec', 'selector'));
    const pods = this.#cluster.store.list(PODS, namespace).filter(pod => selector?.(pod) ?? false);
    const present = pods.filter(pod => pod.metadata.deletionTimestamp === undefined);
    const disrupted = Object.entries(fieldsAt(budget, 'status', 'disruptedPods')).filter(([name]) =>
      present.some(pod => pod.metadata.name === name),
    );
    const leaving = disrupted.map(([name]) => name);
    const healthy = present.filter(pod => isReady(pod) && !leaving.includes(pod.metadata.name)).length;
    const maxPods = Math.max(this.#maxPods.get(uid) ?? 0, pods.length);
    this.#maxPods.set(uid, maxPods);
    const { minAvailable, maxUnavailable } = fieldsAt(budget, 'spec');
    const isRelative = maxUnavailable !== undefined || typeof minAvailable === 'string';
    const expected = isRelative ? maxPods : pods.length;
    const desired =
      maxUnavailable === undefined
        ? resolveCount(minAvailable, expected)
        : Math.max(0, expected - resolveCount(maxUnavailable, expected));
    // Without controllers the expected count is unknown, so no disruption is allowed.
    const isKnown = expected > 0 && (!isRelative || pods.every(hasController));
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

/** Kubelets end terminating pods and delete them without a grace period. */
export class Terminations {
  readonly #cluster: Cluster;
  /** UIDs of pods with a timer. */
  readonly #timed = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    cluster.store.onChange(({ resource, after }) => {
      if (after === undefined) return;
      if (resource === PODS) this.#schedule(after);
      if (resource === NODES) this.#scheduleForNode(after.metadata.name);
    });
  }

  finish(name: string, namespace: string): void {
    const target: Target = { resource: PODS, version: 'v1', namespace, name, subresource: '' };
    deleteObject(this.#cluster, target, { gracePeriodSeconds: 0, uid: '', resourceVersion: '' });
  }

  #scheduleForNode(node: string): void {
    const pods = this.#cluster.store.list(PODS, '');
    for (const pod of pods) if (textAt(pod, 'spec', 'nodeName') === node) this.#schedule(pod);
  }

  #schedule(pod: KubeObject): void {
    const { termination } = this.#cluster.settings;
    if (termination === 'by test' || !this.#isTerminating(pod)) return;
    if (termination === 'at once') {
      this.#finishNow(pod);
      return;
    }
    if (this.#timed.has(pod.metadata.uid)) return;
    this.#timed.add(pod.metadata.uid);
    this.#cluster.clock.setTimer(termination.afterMs, () => {
      this.#timed.delete(pod.metadata.uid);
      this.#finishNow(pod);
    });
  }

  #finishNow({ metadata: { namespace = '', name, uid } }: KubeObject): void {
    const latest = this.#cluster.store.get(PODS, namespace, name);
    if (latest?.metadata.uid === uid && this.#isTerminating(latest)) this.finish(name, namespace);
  }

  /** An unresponsive kubelet removes no pods. */
  #isTerminating({ metadata, ...fields }: KubeObject): boolean {
    if (metadata.deletionTimestamp === undefined || metadata.deletionGracePeriodSeconds === 0) return false;
    const node = this.#cluster.store.get(NODES, '', textAt(fields, 'spec', 'nodeName'));
    return node === undefined || findCondition(node, 'Ready')?.['status'] !== 'Unknown';
  }
}
