// What the server itself puts into objects, and what it does not let callers change: the strategies in kube-apiserver's registry.

import { requestErrors, requestUpdateErrors, settleConditions } from './certificate-requests.ts';
import type { Call, Cluster } from './cluster.ts';
import type { FieldError } from './invalid.ts';
import { invalidValue, missingValue } from './invalid.ts';
import { metadataErrors } from './metadata.ts';
import type { KubeObject } from './objects.ts';
import { fieldsAt, isSame, listAt, textAt } from './objects.ts';
import type { Resource } from './resources.ts';

const POD_DEFAULTS = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  enableServiceLinks: true,
};

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

const NO_ENDPOINTS = { daemonEndpoints: { kubeletEndpoint: { Port: 0 } } };
const NO_NODE_INFO = {
  architecture: '',
  bootID: '',
  containerRuntimeVersion: '',
  kernelVersion: '',
  kubeProxyVersion: '',
  kubeletVersion: '',
  machineID: '',
  operatingSystem: '',
  osImage: '',
  systemUUID: '',
};

const NO_DISRUPTIONS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

type Preparation = (object: KubeObject, call: Call) => void;

const CREATION: Readonly<Record<string, Preparation>> = {
  // An admission plugin keeps new nodes free until they are ready.
  Node: object => {
    const spec = fieldsAt(object, 'spec');
    const others = listAt(spec, 'taints').filter(taint => textAt(taint, 'key') !== NOT_READY.key);
    object['spec'] = { ...spec, taints: [...others, NOT_READY] };
    const nodeInfo = { ...NO_NODE_INFO, ...fieldsAt(object, 'status', 'nodeInfo') };
    object['status'] = { ...NO_ENDPOINTS, ...fieldsAt(object, 'status'), nodeInfo };
  },
  Pod: object => {
    object['spec'] = { ...POD_DEFAULTS, ...fieldsAt(object, 'spec') };
    object['status'] = { phase: 'Pending', qosClass: 'BestEffort' };
  },
  Namespace: object => {
    object['spec'] = { finalizers: ['kubernetes'] };
    object['status'] = { phase: 'Active' };
  },
  Secret: object => {
    settleStringData(object);
    object['type'] = textAt(object, 'type') || 'Opaque';
  },
  CertificateSigningRequest: (object, { user }) => {
    const { request, signerName, usages } = fieldsAt(object, 'spec');
    object['spec'] = { request, signerName, usages, username: user.name, groups: [...user.groups] };
    object['status'] = {};
  },
  PodDisruptionBudget: object => {
    object.metadata.generation = 1;
    object['status'] = NO_DISRUPTIONS;
  },
};

function settleStringData(object: KubeObject): void {
  const { stringData, ...rest } = object;
  const plain = Object.entries(fieldsAt(object, 'stringData'));
  if (stringData === undefined) return;
  const data = plain.map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')]);
  delete object['stringData'];
  object['data'] = { ...fieldsAt(rest, 'data'), ...Object.fromEntries(data) };
}

export const prepareCreation = (object: KubeObject, call: Call): void =>
  CREATION[call.target.resource.kind]?.(object, call);

/** Parts that are written through a subresource stay as they are on the way through the object itself, and the other way round. */
export function prepareUpdate(next: KubeObject, current: KubeObject, call: Call, cluster: Cluster): void {
  const { resource, subresource } = call.target;
  const kept = subresource === '' ? ['status'] : ['spec'];
  const isRequest = resource.kind === 'CertificateSigningRequest';
  if (isRequest && subresource === '') kept.push('spec');
  for (const part of resource.subresources?.includes('status') ? kept : []) {
    if (current[part] === undefined) delete next[part];
    else next[part] = structuredClone(current[part]);
  }
  if (isRequest) settleConditions(next, current, subresource, cluster.clock);
  if (resource.kind === 'Secret') {
    settleStringData(next);
    next['type'] = textAt(next, 'type') || textAt(current, 'type');
  }
  if (current.metadata.generation !== undefined) {
    const hasNewSpec = !isSame(next['spec'], current['spec']);
    next.metadata.generation = current.metadata.generation + (hasNewSpec ? 1 : 0);
  }
}

function kindErrors(object: KubeObject, { kind }: Resource): FieldError[] {
  if (kind === 'CertificateSigningRequest') return requestErrors(object);
  if (kind === 'Pod' && listAt(object, 'spec', 'containers').length === 0) {
    return [missingValue('spec.containers')];
  }
  return [];
}

export const creationErrors = (object: KubeObject, resource: Resource): FieldError[] => [
  ...metadataErrors(object, resource),
  ...kindErrors(object, resource),
];

export function updateErrors(next: KubeObject, current: KubeObject, call: Call): FieldError[] {
  const { resource, subresource } = call.target;
  const isUidSame = next.metadata.uid === current.metadata.uid;
  const isRequest = resource.kind === 'CertificateSigningRequest';
  return [
    ...(isUidSame ? [] : [invalidValue('metadata.uid', next.metadata.uid, 'field is immutable')]),
    ...creationErrors(next, resource),
    ...(isRequest ? requestUpdateErrors(next, current, subresource) : []),
    ...(resource.kind === 'Secret' && next['type'] !== current['type']
      ? [invalidValue('type', next['type'] ?? '', 'field is immutable')]
      : []),
  ];
}
