import { badRequest, expired, notFound } from './api-error.ts';
import type { ApiResponse, Call, Cluster, Target } from './cluster.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { at, fieldsAt, isFields, listAt, textAt } from './objects.ts';
import type { Resource } from './resources.ts';
import { formatApiVersion, resourceName } from './resources.ts';

export type Selector = (object: KubeObject) => boolean;

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

function matchesRequirement(labels: Fields, key: string, operator: Operator, values: readonly Json[]): boolean {
  const value = labels[key];
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  const isListed = value !== undefined && values.includes(value);
  return operator === 'In' ? isListed : !isListed;
}

const getLabels = (object: KubeObject) => fieldsAt(object, 'metadata', 'labels');

/** Forms of a requirement: a in (x,y), a notin (x,y), a=b, a==b, a!=b, a, !a. */
function parseRequirement(text: string): Selector {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set) {
    const [, key = '', operator, values = ''] = set;
    const listed = values.split(',').map(value => value.trim());
    return object => matchesRequirement(getLabels(object), key, operator === 'in' ? 'In' : 'NotIn', listed);
  }
  const equality = /^([^!=\s]+)\s*(==?|!=)\s*([^!=\s]*)$/.exec(text);
  if (equality) {
    const [, key = '', operator, value = ''] = equality;
    return object => matchesRequirement(getLabels(object), key, operator === '!=' ? 'NotIn' : 'In', [value]);
  }
  const presence = /^(!?)\s*([^!=\s()]+)$/.exec(text);
  if (!presence) throw badRequest(`unable to parse requirement: found '${text}', expected: a label selector`);
  const [, not, key = ''] = presence;
  return object => matchesRequirement(getLabels(object), key, not === '!' ? 'DoesNotExist' : 'Exists', []);
}

function labelSelector(text: string): Selector {
  // Commas within brackets belong to a set.
  const parts = text.split(/,(?![^(]*\))/).map(part => part.trim());
  const requirements = text.trim() === '' ? [] : parts.map(parseRequirement);
  return object => requirements.every(requirement => requirement(object));
}

function parseFieldPath({ isNamespaced, selectable = [] }: Resource, field: string): readonly string[] {
  const known = ['metadata.name', ...(isNamespaced ? ['metadata.namespace'] : []), ...selectable];
  if (known.includes(field)) return field.split('.');
  throw badRequest(
    selectable.length === 0
      ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
      : `field label not supported: ${field}`,
  );
}

/** An unset flag is `false`. */
const toText = (value: Json | undefined, field: string) =>
  value === undefined ? (field === 'spec.unschedulable' ? 'false' : '') : String(value);

function fieldSelector(text: string, resource: Resource): Selector {
  const terms = text.split(',').filter(term => term !== '');
  const requirements = terms.map(term => {
    const [, field = '', operator = '', value = ''] = /^([^!=]+)(==?|!=)(.*)$/.exec(term) ?? [];
    if (field === '') throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const path = parseFieldPath(resource, field);
    return (object: KubeObject) => (toText(at(object, ...path), field) === value) === (operator !== '!=');
  });
  return object => requirements.every(requirement => requirement(object));
}

const OPERATORS: readonly Operator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Selector of a disruption budget; `undefined` if it is empty. */
export function objectSelector(selector: Fields): Selector | undefined {
  const equalities = Object.entries(fieldsAt(selector, 'matchLabels'));
  const expressions = listAt(selector, 'matchExpressions').filter(isFields);
  if (equalities.length + expressions.length === 0) return undefined;
  return object => {
    const labels = getLabels(object);
    return (
      equalities.every(([key, value]) => labels[key] === value) &&
      expressions.every(expression => {
        const operator = OPERATORS.find(operator => operator === expression['operator']);
        if (operator === undefined) return false;
        return matchesRequirement(labels, textAt(expression, 'key'), operator, listAt(expression, 'values'));
      })
    );
  };
}

/** Adds kind and version, which list items do not have. */
export const toResponseBody = (object: KubeObject, { resource, version }: Target): Fields => ({
  kind: resource.kind,
  apiVersion: formatApiVersion(resource.group, version),
  ...object,
});

export function getExisting({ store }: Cluster, { resource, namespace, name }: Target): KubeObject {
  const found = store.get(resource, namespace, name);
  if (found === undefined) throw notFound(resourceName(resource), name);
  return found;
}

export const get = (cluster: Cluster, { target }: Call): ApiResponse => ({
  code: 200,
  body: toResponseBody(getExisting(cluster, target), target),
});

export function createSelector({ query, target }: Call): Selector {
  const byLabel = labelSelector(query.get('labelSelector') ?? '');
  const byField = fieldSelector(query.get('fieldSelector') ?? '', target.resource);
  return object => byLabel(object) && byField(object);
}

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

interface Bookmark {
  /** -1: the current revision. */
  readonly revision: number;
  /** Key of the last returned object. */
  readonly after: string;
}

const encodeToken = ({ revision, after }: Bookmark): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\0` })).toString('base64url');

function decodeToken(token: string): Bookmark {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isFields(parsed) && typeof parsed['rv'] === 'number' && typeof parsed['start'] === 'string')
      return { revision: parsed['rv'], after: parsed['start'].replace(/\0$/, '') };
  } catch {
    // Reported below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

const toSortKey = ({ metadata: { namespace, name } }: KubeObject, { namespace: within }: Target) =>
  namespace === undefined || within !== '' ? name : `${namespace}/${name}`;

function parseStart({ store }: Cluster, query: URLSearchParams): Bookmark {
  const token = query.get('continue') ?? '';
  if (token === '') return { revision: store.revision, after: '' };
  const bookmark = decodeToken(token);
  const version = query.get('resourceVersion') ?? '';
  if (version !== '' && version !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
  if (bookmark.revision < 0) return { ...bookmark, revision: store.revision };
  if (bookmark.revision < store.compactedTo) throw expired(TOO_OLD, encodeToken({ ...bookmark, revision: -1 }));
  return bookmark;
}

/** 0 means no limit. */
function parseLimit(text: string): number {
  if (!/^\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Number(text) || Number.POSITIVE_INFINITY;
}

export function list(cluster: Cluster, call: Call): ApiResponse {
  const { target, query } = call;
  const isSelected = createSelector(call);
  const isFiltered = query.has('labelSelector') || query.has('fieldSelector');
  const limit = parseLimit(query.get('limit') ?? '0');
  const { revision, after } = parseStart(cluster, query);
  const all = cluster.store.list(target.resource, target.namespace, revision);
  const selected = all.filter(object => isSelected(object) && toSortKey(object, target) > after);
  const items = selected.slice(0, limit);
  const last = items.at(-1);
  const remaining = selected.length - items.length;
  const metadata: Fields = { resourceVersion: String(revision) };
  if (last !== undefined && remaining > 0) {
    metadata['continue'] = encodeToken({ revision, after: toSortKey(last, target) });
    if (!isFiltered) metadata['remainingItemCount'] = remaining;
  }
  const { kind, group } = target.resource;
  const apiVersion = formatApiVersion(group, target.version);
  return { code: 200, body: { kind: `${kind}List`, apiVersion, metadata, items: [...items] } };
}
