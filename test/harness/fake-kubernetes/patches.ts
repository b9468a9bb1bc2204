import { parsePointer } from '../../../src/lib/json.ts';
import { badRequest, patchDoesNotApply } from './api-error.ts';
import type { Fields, Json } from './objects.ts';
import { isFields, isSame } from './objects.ts';

function parseIndex(list: readonly Json[], step: string, isInsertion: boolean): number {
  if (isInsertion && step === '-') return list.length;
  const index = /^\d+$/.test(step) ? Number(step) : -1;
  if (index < 0 || index >= list.length + (isInsertion ? 1 : 0)) throw patchDoesNotApply();
  return index;
}

function getChild(parent: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(parent)) return parent[parseIndex(parent, step, false)];
  return isFields(parent) ? parent[step] : undefined;
}

/** Returns the container of the last path segment. */
function resolveParent(document: Fields, pointer: string): { parent: Fields | Json[]; step: string } {
  const steps = [...parsePointer(pointer)];
  const step = steps.pop();
  let parent: Json | undefined = document;
  for (const segment of steps) parent = getChild(parent, segment);
  if (step === undefined || (!isFields(parent) && !Array.isArray(parent))) throw patchDoesNotApply();
  return { parent, step };
}

function add(document: Fields, pointer: string, value: Json): void {
  const { parent, step } = resolveParent(document, pointer);
  if (Array.isArray(parent)) parent.splice(parseIndex(parent, step, true), 0, value);
  else parent[step] = value;
}

function remove(document: Fields, pointer: string): Json {
  const { parent, step } = resolveParent(document, pointer);
  const value = getChild(parent, step);
  if (value === undefined) throw patchDoesNotApply();
  if (Array.isArray(parent)) parent.splice(parseIndex(parent, step, false), 1);
  else delete parent[step];
  return value;
}

function read(document: Fields, pointer: string): Json | undefined {
  const { parent, step } = resolveParent(document, pointer);
  return getChild(parent, step);
}

function replace(document: Fields, pointer: string, value: Json): void {
  const { parent, step } = resolveParent(document, pointer);
  // Creates a missing field, unlike the RFC, as the library of kube-apiserver does.
  if (Array.isArray(parent)) parent[parseIndex(parent, step, false)] = value;
  else parent[step] = value;
}

function apply(document: Fields, operation: Fields): void {
  const { op, path, from, value = null } = operation;
  if (typeof path !== 'string') throw patchDoesNotApply();
  const origin = typeof from === 'string' ? from : '';
  if (op === 'add') add(document, path, value);
  else if (op === 'remove') remove(document, path);
  else if (op === 'replace') replace(document, path, value);
  else if (op === 'move') add(document, path, remove(document, origin));
  else if (op === 'copy') add(document, path, structuredClone(read(document, origin) ?? null));
  // The library treats a missing field as null.
  else if (op !== 'test' || !isSame(read(document, path) ?? null, value)) throw patchDoesNotApply();
}

/** RFC 6902. */
export function jsonPatch(document: Fields, patch: Json | undefined): Fields {
  if (!Array.isArray(patch)) {
    throw badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  }
  const patched = structuredClone(document);
  for (const operation of patch) {
    if (!isFields(operation)) throw patchDoesNotApply();
    apply(patched, operation);
  }
  return patched;
}

/** RFC 7396. */
export function mergePatch(target: Fields, patch: Fields): Fields {
  const merged = structuredClone(target);
  for (const [field, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete merged[field];
    else if (isFields(value)) {
      const before = merged[field];
      merged[field] = mergePatch(isFields(before) ? before : {}, value);
    } else merged[field] = value;
  }
  return merged;
}

/** Merge key by list; empty for lists of plain values. Other lists are replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  'metadata.ownerReferences': 'uid',
  'metadata.finalizers': '',
  'nodes status.conditions': 'type',
  'nodes status.addresses': 'type',
  'nodes spec.podCIDRs': '',
  'pods status.conditions': 'type',
  'pods status.podIPs': 'ip',
  'pods spec.containers': 'name',
  'pods spec.initContainers': 'name',
  'pods spec.volumes': 'name',
  'pods spec.imagePullSecrets': 'name',
};

function mergeLists(before: readonly Json[], patch: readonly Json[], key: string, path: string): Json[] {
  if (key === '') return [...before, ...patch.filter(value => !before.includes(value))];
  if (patch.some(item => isFields(item) && item['$patch'] === 'replace'))
    return patch.filter(item => !(isFields(item) && item['$patch'] === 'replace'));
  const merged = [...before];
  for (const item of patch) {
    if (!isFields(item) || item[key] === undefined) {
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    }
    const index = merged.findIndex(other => isFields(other) && other[key] === item[key]);
    const known = merged[index];
    if (item['$patch'] === 'delete') {
      if (index >= 0) merged.splice(index, 1);
    } else if (isFields(known)) merged[index] = merge(known, item, '', `${path}[]`);
    else merged.push(item);
  }
  return merged;
}

function merge(target: Fields, patch: Fields, plural: string, path: string): Fields {
  const { $patch: directive, ...fields } = patch;
  if (directive === 'replace') return fields;
  if (directive === 'delete') return {};
  const merged = structuredClone(target);
  for (const [field, value] of Object.entries(fields)) {
    if (field.startsWith('$')) {
      if (field.startsWith('$setElementOrder/')) continue;
      throw badRequest(`this server does not know the directive ${field}`);
    }
    const inside = path === '' ? field : `${path}.${field}`;
    const before = merged[field];
    const key = MERGE_KEYS[inside] ?? MERGE_KEYS[`${plural} ${inside}`];
    if (value === null || value === undefined) delete merged[field];
    else if (isFields(value)) merged[field] = merge(isFields(before) ? before : {}, value, plural, inside);
    else if (Array.isArray(value) && key !== undefined) {
      merged[field] = mergeLists(Array.isArray(before) ? before : [], value, key, inside);
    } else merged[field] = value;
  }
  return merged;
}

/** Supports maps and the lists in `MERGE_KEYS`. */
export const strategicMergePatch = (target: Fields, patch: Fields, plural: string): Fields =>
  merge(target, patch, plural, '');
