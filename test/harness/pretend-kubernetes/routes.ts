import type { Target, Verb } from './cluster.ts';
import type { Resource } from './resources.ts';
import { RESOURCES, servedVersions } from './resources.ts';

interface Place {
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
}

function placeOf(path: string): Place | undefined {
  const [, root, ...parts] = path.split('/').map(decodeURIComponent);
  if (root === 'api') {
    const [version = '', ...rest] = parts;
    return { group: '', version, rest };
  }
  const [group = '', version = '', ...rest] = parts;
  return root === 'apis' ? { group, version, rest } : undefined;
}

function resourceAt({ group, version }: Place, plural: string, minor: number): Resource | undefined {
  const found = RESOURCES.find(resource => resource.group === group && resource.plural === plural);
  return found !== undefined && servedVersions(found, minor).includes(version) ? found : undefined;
}

/** undefined: no resource of this server is there. */
export function routeOf(path: string, minor: number): Target | undefined {
  const place = placeOf(path);
  if (place === undefined || place.rest.length === 0) return undefined;
  const { rest, version } = place;
  // /namespaces/a is the namespace itself, /namespaces/a/pods what is in it.
  const isInside = rest[0] === 'namespaces' && rest.length > 2;
  const [plural = '', name = '', subresource = '', ...more] = isInside ? rest.slice(2) : rest;
  const namespace = isInside ? (rest[1] ?? '') : '';
  const resource = resourceAt(place, plural, minor);
  if (resource === undefined || more.length > 0) return undefined;
  if (resource.isNamespaced !== isInside && (isInside || name !== '')) return undefined;
  if (subresource !== '' && !resource.subresources?.includes(subresource)) return undefined;
  return { resource, version, namespace, name, subresource };
}

const isYes = (value: string | null) => value === '1' || value === 'true';

/** undefined: not a method of the API. */
export function verbOf(method: string, name: string, query: URLSearchParams): Verb | undefined {
  if (method === 'GET' && name !== '') return 'get';
  if (method === 'GET') return isYes(query.get('watch')) ? 'watch' : 'list';
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return name === '' ? 'deletecollection' : 'delete';
  return undefined;
}
