// The served resources and their differences.

import type { QualifiedName } from './api-error.ts';

export interface Resource {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** Versions with their range of minor releases of Kubernetes 1. */
  readonly versions: readonly { readonly name: string; readonly from: number; readonly before?: number }[];
  readonly subresources?: readonly string[];
  /** Field selectors besides name and namespace. */
  readonly selectable?: readonly string[];
  /** A deletion returns the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** Updates must contain the current resource version. */
  readonly needsResourceVersion?: boolean;
}

const V1 = [{ name: 'v1', from: 0 }] as const;

export const NODES: Resource = {
  group: '',
  plural: 'nodes',
  kind: 'Node',
  isNamespaced: false,
  versions: V1,
  subresources: ['status'],
  selectable: ['spec.unschedulable'],
};

export const PODS: Resource = {
  group: '',
  plural: 'pods',
  kind: 'Pod',
  isNamespaced: true,
  versions: V1,
  subresources: ['status', 'eviction'],
  selectable: ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'status.phase', 'status.podIP'],
  returnsDeletedObject: true,
};

export const SECRETS: Resource = {
  group: '',
  plural: 'secrets',
  kind: 'Secret',
  isNamespaced: true,
  versions: V1,
  selectable: ['type'],
};

export const CONFIG_MAPS: Resource = {
  group: '',
  plural: 'configmaps',
  kind: 'ConfigMap',
  isNamespaced: true,
  versions: V1,
};

export const NAMESPACES: Resource = {
  group: '',
  plural: 'namespaces',
  kind: 'Namespace',
  isNamespaced: false,
  versions: V1,
  selectable: ['status.phase'],
  returnsDeletedObject: true,
};

export const CERTIFICATE_REQUESTS: Resource = {
  group: 'certificates.k8s.io',
  plural: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  isNamespaced: false,
  versions: [{ name: 'v1', from: 19 }],
  subresources: ['status', 'approval'],
  selectable: ['spec.signerName'],
};

export const DISRUPTION_BUDGETS: Resource = {
  group: 'policy',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  isNamespaced: true,
  versions: [
    { name: 'v1beta1', from: 5, before: 25 },
    { name: 'v1', from: 21 },
  ],
  subresources: ['status'],
  needsResourceVersion: true,
};

const workload = (plural: string, kind: string): Resource => ({
  group: 'apps',
  plural,
  kind,
  isNamespaced: true,
  versions: [{ name: 'v1', from: 9 }],
});

export const RESOURCES: readonly Resource[] = [
  NODES,
  PODS,
  SECRETS,
  CONFIG_MAPS,
  NAMESPACES,
  CERTIFICATE_REQUESTS,
  DISRUPTION_BUDGETS,
  workload('daemonsets', 'DaemonSet'),
  workload('replicasets', 'ReplicaSet'),
  workload('statefulsets', 'StatefulSet'),
];

export const resourceName = ({ group, plural }: Resource): QualifiedName => ({ group, name: plural });
export const kindName = ({ group, kind }: Resource): QualifiedName => ({ group, name: kind });

export const servedVersions = ({ versions }: Resource, minor: number): readonly string[] =>
  versions
    .filter(({ from, before = Number.POSITIVE_INFINITY }) => from <= minor && minor < before)
    .map(({ name }) => name);

export const formatApiVersion = (group: string, version: string) => (group === '' ? version : `${group}/${version}`);

export function findResource(plural: string): Resource {
  const found = RESOURCES.find(resource => resource.plural === plural);
  if (found === undefined) throw new Error(`this server has no ${plural}`);
  return found;
}
