import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import type { Fields, KubeObject } from './objects.ts';
import { formatTime, omitEmptyFields } from './objects.ts';
import { CONFIG_MAPS, NAMESPACES, PODS } from './resources.ts';

export interface PodOptions {
  readonly node: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  /** null: no owner. Default: a ReplicaSet. */
  readonly owner?: { readonly kind: string; readonly name?: string } | null;
  /** A static pod, which the API only mirrors. */
  readonly isMirror?: boolean;
  readonly isReady?: boolean;
  /** Default: Running. */
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** Default: 30. */
  readonly gracePeriodSeconds?: number;
  readonly volumes?: Fields[];
  readonly finalizers?: string[];
}

/** Pods with the same owner share its uid. */
const ownerUids = new Map<string, string>();

function ownerReference(kind: string, name: string): Fields {
  const uid = ownerUids.get(`${kind} ${name}`) ?? randomUUID();
  ownerUids.set(`${kind} ${name}`, uid);
  const apiVersion = kind === 'Node' || kind === 'ReplicationController' ? 'v1' : 'apps/v1';
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function ensureNamespace({ store, clock }: Cluster, name: string): void {
  if (store.get(NAMESPACES, '', name) !== undefined) return;
  const creationTimestamp = formatTime(clock.now());
  store.write(NAMESPACES, {
    metadata: { name, uid: randomUUID(), resourceVersion: '', creationTimestamp },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
}

/** Adds a scheduled and started pod. */
export function runPod(cluster: Cluster, name: string, options: PodOptions): KubeObject {
  const { node, namespace = 'default', labels = {}, owner, isMirror = false, isReady = true } = options;
  const { phase = 'Running', gracePeriodSeconds = 30, volumes = [], finalizers = [] } = options;
  ensureNamespace(cluster, namespace);
  const now = formatTime(cluster.clock.now());
  const { kind, name: ownerName = 'app' } = owner ?? {
    kind: isMirror ? 'Node' : 'ReplicaSet',
    name: isMirror ? node : 'app',
  };
  const mirror = { 'kubernetes.io/config.mirror': randomUUID(), 'kubernetes.io/config.source': 'file' };
  const ready = { type: 'Ready', status: isReady && phase === 'Running' ? 'True' : 'False' };
  return cluster.store.write(
    PODS,
    omitEmptyFields({
      metadata: {
        name,
        namespace,
        uid: randomUUID(),
        resourceVersion: '',
        creationTimestamp: now,
        labels,
        annotations: isMirror ? mirror : {},
        ownerReferences: owner === null ? [] : [ownerReference(kind, ownerName)],
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

const INITIAL_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const formatKubeconfig = (url: string, ca: string) => `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${Buffer.from(ca).toString('base64')}
    server: ${url}
  name: ""
contexts: null
current-context: ""
kind: Config
preferences: {}
users: null
`;

/** Initial objects of a kubeadm cluster. */
export function seed(cluster: Cluster, url: string, ca: string): void {
  for (const name of INITIAL_NAMESPACES) ensureNamespace(cluster, name);
  cluster.store.write(CONFIG_MAPS, {
    metadata: {
      name: 'cluster-info',
      namespace: 'kube-public',
      uid: randomUUID(),
      resourceVersion: '',
      creationTimestamp: formatTime(cluster.clock.now()),
    },
    data: { kubeconfig: formatKubeconfig(url, ca) },
  });
}
