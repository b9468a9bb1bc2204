import { isDeepStrictEqual } from 'node:util';

export type Json = string | number | boolean | null | Json[] | Fields;

export interface Fields {
  [field: string]: Json | undefined;
}

export interface Metadata extends Fields {
  name: string;
  /** Absent for cluster-wide resources. */
  namespace?: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  generation?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: Fields[];
}

/** Stored form: responses add `apiVersion` and `kind`, because one object is served in several versions. */
export interface KubeObject extends Fields {
  metadata: Metadata;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let found = value;
  for (const field of path) found = isFields(found) ? found[field] : undefined;
  return found;
}

export function fieldsAt(value: Json | undefined, ...path: string[]): Fields {
  const found = at(value, ...path);
  return isFields(found) ? found : {};
}

export function listAt(value: Json | undefined, ...path: string[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: Json | undefined, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function numberAt(value: Json | undefined, ...path: string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

export const isSame = (a: Json | undefined, b: Json | undefined) => isDeepStrictEqual(a, b);

/** The API uses whole seconds. */
export const formatTime = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

export const findCondition = (object: KubeObject, type: string): Fields | undefined =>
  listAt(object, 'status', 'conditions')
    .filter(isFields)
    .find(condition => condition['type'] === type);

/** Fields with `omitempty` in the types of kube-apiserver. */
const OMITTED_WHEN_EMPTY: readonly (readonly [...path: string[], field: string])[] = [
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
  const cleaned: Fields = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    if (isFields(value)) cleaned[field] = withoutNulls(value);
    else if (Array.isArray(value)) cleaned[field] = value.map(item => (isFields(item) ? withoutNulls(item) : item));
    else cleaned[field] = value;
  }
  return cleaned;
}

/** Removes nulls and empty fields from stored objects. A JSON patch that removes such a field fails. */
export function omitEmptyFields(object: KubeObject): KubeObject {
  const { metadata, ...rest } = object;
  const result: KubeObject = { ...withoutNulls(rest), metadata: { ...metadata, ...withoutNulls(metadata) } };
  for (const field of Object.keys(result.metadata)) {
    if (result.metadata[field] === null || result.metadata[field] === undefined) delete result.metadata[field];
  }
  for (const path of OMITTED_WHEN_EMPTY) {
    const field = path.at(-1) ?? '';
    const parent = path.length === 1 ? result : result[path[0] ?? ''];
    if (isFields(parent) && isEmpty(parent[field])) delete parent[field];
  }
  return result;
}
