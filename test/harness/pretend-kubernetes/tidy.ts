import type { Fields, KubeObject } from './objects.ts';
import { isFields } from './objects.ts';

/** Fields that are left out when they are empty, as kube-apiserver writes them: `omitempty` in its types. */
const LEFT_OUT_WHEN_EMPTY: readonly (readonly [...path: string[], field: string])[] = [
  ['metadata', 'labels'],
  ['metadata', 'annotations'],
  ['metadata', 'finalizers'],
  ['metadata', 'ownerReferences'],
  ['metadata', 'generateName'],
  ['metadata', 'namespace'],
  ['spec', 'unschedulable'],
  ['spec', 'taints'],
  ['spec', 'podCIDR'],
  ['spec', 'nodeName'],
  ['status', 'conditions'],
  ['status', 'disruptedPods'],
  ['status', 'observedGeneration'],
  ['status', 'certificate'],
  ['data'],
  ['binaryData'],
];

function isEmpty(value: unknown): boolean {
  if (value === false || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

function withoutNulls(fields: Fields): Fields {
  const kept: Fields = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    if (isFields(value)) kept[field] = withoutNulls(value);
    else if (Array.isArray(value))
      kept[field] = value.map(item => (isFields(item) ? withoutNulls(item) : item));
    else kept[field] = value;
  }
  return kept;
}

/** As it is kept and shown: nothing is null, and what is empty is not there. A patch that removes it then does not apply. */
export function tidy(object: KubeObject): KubeObject {
  const { metadata, ...rest } = object;
  const tidied: KubeObject = { ...withoutNulls(rest), metadata: { ...metadata, ...withoutNulls(metadata) } };
  for (const field of Object.keys(tidied.metadata)) {
    if (tidied.metadata[field] === null || tidied.metadata[field] === undefined)
      delete tidied.metadata[field];
  }
  for (const path of LEFT_OUT_WHEN_EMPTY) {
    const field = path.at(-1) ?? '';
    const parent = path.length === 1 ? tidied : tidied[path[0] ?? ''];
    if (isFields(parent) && isEmpty(parent[field])) delete parent[field];
  }
  return tidied;
}
