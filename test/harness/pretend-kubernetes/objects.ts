import { isDeepStrictEqual } from 'node:util';

export type Json = string | number | boolean | null | Json[] | Fields;

export interface Fields {
  [field: string]: Json | undefined;
}

export interface Metadata extends Fields {
  name: string;
  /** Not of what belongs to the cluster as a whole. */
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

/** As it is kept: `apiVersion` and `kind` come with the answer, since one object is served in several versions. */
export interface KubeObject extends Fields {
  metadata: Metadata;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is at the end of a path of fields, if they are all there. */
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

export const isSame = (one: Json | undefined, other: Json | undefined) => isDeepStrictEqual(one, other);

/** Times have no fractions of seconds in the API. */
export const timeText = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** The condition of this type in `status.conditions`. */
export const conditionOf = (object: KubeObject, type: string): Fields | undefined =>
  listAt(object, 'status', 'conditions')
    .filter(isFields)
    .find(condition => condition['type'] === type);
