import { badRequest, expired, notFound } from './api-error.ts';
import type { Answer, Call, Cluster, Target } from './cluster.ts';
import type { Fields, KubeObject } from './objects.ts';
import { isFields } from './objects.ts';
import { apiVersionOf, resourceName } from './resources.ts';
import type { Selector } from './selectors.ts';
import { fieldSelector, labelSelector } from './selectors.ts';

/** As it is answered; in lists the items have neither. */
export const shown = (object: KubeObject, { resource, version }: Target): Fields => ({
  kind: resource.kind,
  apiVersion: apiVersionOf(resource.group, version),
  ...object,
});

export function existing({ store }: Cluster, { resource, namespace, name }: Target): KubeObject {
  const found = store.get(resource, namespace, name);
  if (found === undefined) throw notFound(resourceName(resource), name);
  return found;
}

export const get = (cluster: Cluster, { target }: Call): Answer => ({
  code: 200,
  body: shown(existing(cluster, target), target),
});

export function selectorOf({ query, target }: Call): Selector {
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
  /** -1: whatever there is now. */
  readonly revision: number;
  /** The last one that was shown. */
  readonly after: string;
}

const tokenOf = ({ revision, after }: Bookmark): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\0` })).toString(
    'base64url',
  );

function bookmarkOf(token: string): Bookmark {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isFields(parsed) && typeof parsed['rv'] === 'number' && typeof parsed['start'] === 'string')
      return { revision: parsed['rv'], after: parsed['start'].replace(/\0$/, '') };
  } catch {
    // It is told below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

const placeOf = ({ metadata: { namespace, name } }: KubeObject, { namespace: within }: Target) =>
  namespace === undefined || within !== '' ? name : `${namespace}/${name}`;

function startOf({ store }: Cluster, query: URLSearchParams): Bookmark {
  const token = query.get('continue') ?? '';
  if (token === '') return { revision: store.revision, after: '' };
  const bookmark = bookmarkOf(token);
  const version = query.get('resourceVersion') ?? '';
  if (version !== '' && version !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
  if (bookmark.revision < 0) return { ...bookmark, revision: store.revision };
  if (bookmark.revision < store.compactedTo) throw expired(TOO_OLD, tokenOf({ ...bookmark, revision: -1 }));
  return bookmark;
}

/** 0 is no limit. */
function limitOf(text: string): number {
  if (!/^\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Number(text) || Number.POSITIVE_INFINITY;
}

export function list(cluster: Cluster, call: Call): Answer {
  const { target, query } = call;
  const isSelected = selectorOf(call);
  const isFiltered = query.has('labelSelector') || query.has('fieldSelector');
  const limit = limitOf(query.get('limit') ?? '0');
  const { revision, after } = startOf(cluster, query);
  const all = cluster.store.list(target.resource, target.namespace, revision);
  const wanted = all.filter(object => isSelected(object) && placeOf(object, target) > after);
  const items = wanted.slice(0, limit);
  const last = items.at(-1);
  const remaining = wanted.length - items.length;
  const metadata: Fields = { resourceVersion: String(revision) };
  if (last !== undefined && remaining > 0) {
    metadata['continue'] = tokenOf({ revision, after: placeOf(last, target) });
    if (!isFiltered) metadata['remainingItemCount'] = remaining;
  }
  const { kind, group } = target.resource;
  const apiVersion = apiVersionOf(group, target.version);
  return { code: 200, body: { kind: `${kind}List`, apiVersion, metadata, items: [...items] } };
}
