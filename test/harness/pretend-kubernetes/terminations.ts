import type { Cluster, Target } from './cluster.ts';
import { deleteObject } from './delete.ts';
import type { KubeObject } from './objects.ts';
import { conditionOf, textAt } from './objects.ts';
import { NODES, PODS } from './resources.ts';

/** What kubelets do with pods that are to go: they end them, and then delete them without grace. */
export class Terminations {
  readonly #cluster: Cluster;
  /** By uid: those that a timer was set for. */
  readonly #timed = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    cluster.store.onChange(({ resource, after }) => {
      if (after === undefined) return;
      if (resource === PODS) this.#consider(after);
      if (resource === NODES) this.#considerAll(after.metadata.name);
    });
  }

  /** The kubelet says that the pod has ended. */
  finish(name: string, namespace: string): void {
    const target: Target = { resource: PODS, version: 'v1', namespace, name, subresource: '' };
    deleteObject(this.#cluster, target, { gracePeriodSeconds: 0, uid: '', resourceVersion: '' });
  }

  #considerAll(node: string): void {
    const pods = this.#cluster.store.list(PODS, '');
    for (const pod of pods) if (textAt(pod, 'spec', 'nodeName') === node) this.#consider(pod);
  }

  #consider(pod: KubeObject): void {
    const { termination } = this.#cluster.settings;
    if (termination === 'by test' || !this.#isGoing(pod)) return;
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
    if (latest?.metadata.uid === uid && this.#isGoing(latest)) this.finish(name, namespace);
  }

  /** A kubelet that is not heard of lets nothing go. */
  #isGoing({ metadata, ...fields }: KubeObject): boolean {
    if (metadata.deletionTimestamp === undefined || metadata.deletionGracePeriodSeconds === 0) return false;
    const node = this.#cluster.store.get(NODES, '', textAt(fields, 'spec', 'nodeName'));
    return node === undefined || conditionOf(node, 'Ready')?.['status'] !== 'Unknown';
  }
}
