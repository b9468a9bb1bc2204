import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import type { Fields, KubeObject } from './objects.ts';
import { timeText } from './objects.ts';
import { NAMESPACES, PODS } from './resources.ts';
import { tidy } from './tidy.ts';

export interface PodOptions {
  readonly node: string;
  /** Default: default. */
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  /** What made it. null: nobody. Default: a ReplicaSet. */
  readonly owner?: { readonly kind: string; readonly name?: string } | null;
  /** Of a file on its node, which the API only mirrors. */
  readonly isMirror?: boolean;
  readonly isReady?: boolean;
  /** Default: Running. */
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** Default: 30. */
  readonly gracePeriodSeconds?: number;
  /** Default: none. */
  readonly volumes?: Fields[];
  readonly finalizers?: string[];
}

/** One uid for each owner, so that pods of the same one have it in common. */
const ownerUids = new Map<string, string>();

function ownerOf(kind: string, name: string): Fields {
  const uid = ownerUids.get(`${kind} ${name}`) ?? randomUUID();
  ownerUids.set(`${kind} ${name}`, uid);
  const apiVersion = kind === 'Node' || kind === 'ReplicationController' ? 'v1' : 'apps/v1';
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function ensureNamespace({ store, clock }: Cluster, name: string): void {
  if (store.get(NAMESPACES, '', name) !== undefined) return;
  const creationTimestamp = timeText(clock.now());
  store.write(NAMESPACES, {
    metadata: { name, uid: randomUUID(), resourceVersion: '', creationTimestamp },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
}

/** A pod that has been scheduled and started. */
export function runPod(cluster: Cluster, name: string, options: PodOptions): KubeObject {
  const { node, namespace = 'default', labels = {}, owner, isMirror = false, isReady = true } = options;
  const { phase = 'Running', gracePeriodSeconds = 30, volumes = [], finalizers = [] } = options;
  ensureNamespace(cluster, namespace);
  const now = timeText(cluster.clock.now());
  const { kind, name: ownerName = 'app' } = owner ?? {
    kind: isMirror ? 'Node' : 'ReplicaSet',
    name: isMirror ? node : 'app',
  };
  const mirror = { 'kubernetes.io/config.mirror': randomUUID(), 'kubernetes.io/config.source': 'file' };
  const ready = { type: 'Ready', status: isReady && phase === 'Running' ? 'True' : 'False' };
  return cluster.store.write(
    PODS,
    tidy({
      metadata: {
        name,
        namespace,
        uid: randomUUID(),
        resourceVersion: '',
        creationTimestamp: now,
        labels,
        annotations: isMirror ? mirror : {},
        ownerReferences: owner === null ? [] : [ownerOf(kind, ownerName)],
        finalizers,
      },
      spec: {
        nodeName: node,
        containers: [{ name: 'main', image: 'example.invalid/app:1' }],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: gracePeriodSeconds,
        ...(volumes.length === 0 ? {} : { volumes }),
      },
      status: { phase, conditions: [{ ...ready, lastTransitionTime: now }], startTime: now },
    }),
  );
}
