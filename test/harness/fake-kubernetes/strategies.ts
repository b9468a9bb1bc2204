// Metadata validation: apimachinery/pkg/api/validation/objectmeta.go.

import { randomInt } from 'node:crypto';
import type { FieldError } from './api-error.ts';
import { invalidValue, missingValue } from './api-error.ts';
import { applyConditions, requestErrors, requestUpdateErrors } from './certificate-requests.ts';
import type { Call, Cluster } from './cluster.ts';
import type { KubeObject, Metadata } from './objects.ts';
import { fieldsAt, isSame, listAt, textAt } from './objects.ts';
import type { Resource } from './resources.ts';

const PART = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${PART}(\\.${PART})*$`);
const SUBDOMAIN_ERROR = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${PART}(\\.${PART})*')`;
const KEY = new RegExp(`^(${PART}(\\.${PART})*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$`);
const KEY_ERROR = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;
const LABEL_VALUE_ERROR = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

export const generatedName = (prefix: string): string =>
  prefix.slice(0, 58) + Array.from({ length: 5 }, () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)]).join('');

function mapErrors(metadata: Metadata, field: 'labels' | 'annotations'): FieldError[] {
  return Object.entries(metadata[field] ?? {}).flatMap(([key, value]) => [
    // Annotation keys are validated in lower case.
    ...(KEY.test(field === 'annotations' ? key.toLowerCase() : key)
      ? []
      : [invalidValue(`metadata.${field}`, key, KEY_ERROR)]),
    ...(field === 'annotations' || LABEL_VALUE.test(value)
      ? []
      : [invalidValue(`metadata.${field}`, value, LABEL_VALUE_ERROR)]),
  ]);
}

function metadataErrors({ metadata }: KubeObject, { kind }: Resource): FieldError[] {
  const { name } = metadata;
  const isNameMissing = name === '';
  const isValid = kind === 'CertificateSigningRequest' ? !/[/%]/.test(name) : SUBDOMAIN.test(name);
  return [
    ...(isNameMissing ? [missingValue('metadata.name', 'name or generateName is required')] : []),
    ...(isNameMissing || isValid ? [] : [invalidValue('metadata.name', name, SUBDOMAIN_ERROR)]),
    ...mapErrors(metadata, 'labels'),
    ...mapErrors(metadata, 'annotations'),
  ];
}

// Defaults and immutable fields: the strategies of the kube-apiserver registry.

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
  // An admission plugin taints new nodes until they are ready.
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
    applyStringData(object);
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

function applyStringData(object: KubeObject): void {
  const { stringData, ...rest } = object;
  const plain = Object.entries(fieldsAt(object, 'stringData'));
  if (stringData === undefined) return;
  const data = plain.map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')]);
  delete object['stringData'];
  object['data'] = { ...fieldsAt(rest, 'data'), ...Object.fromEntries(data) };
}

export const prepareCreation = (object: KubeObject, call: Call): void =>
  CREATION[call.target.resource.kind]?.(object, call);

/** An update keeps the fields of subresources, and a subresource update keeps the other fields. */
export function prepareUpdate(next: KubeObject, current: KubeObject, call: Call, cluster: Cluster): void {
  const { resource, subresource } = call.target;
  const preserved = subresource === '' ? ['status'] : ['spec'];
  const isRequest = resource.kind === 'CertificateSigningRequest';
  if (isRequest && subresource === '') preserved.push('spec');
  for (const part of resource.subresources?.includes('status') ? preserved : []) {
    if (current[part] === undefined) delete next[part];
    else next[part] = structuredClone(current[part]);
  }
  if (isRequest) applyConditions(next, current, subresource, cluster.clock);
  if (resource.kind === 'Secret') {
    applyStringData(next);
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
