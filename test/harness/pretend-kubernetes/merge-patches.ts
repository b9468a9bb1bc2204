import { badRequest } from './api-error.ts';
import type { Fields, Json } from './objects.ts';
import { isFields } from './objects.ts';

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

/** Lists whose items are known by one of their fields; '' are lists of plain values. Other lists are replaced. */
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
    const index = merged.findIndex(one => isFields(one) && one[key] === item[key]);
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

/** As far as nodes, pods and metadata need it: maps are merged, and those lists whose items have a key. */
export const strategicMergePatch = (target: Fields, patch: Fields, plural: string): Fields =>
  merge(target, patch, plural, '');
