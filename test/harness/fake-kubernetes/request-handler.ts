import type { ServerResponse } from 'node:http';
import type { User } from './accounts.ts';
import { ApiError, methodNotAllowed, noSuchResource } from './api-error.ts';
import { ACCESS_REVIEW_PATH, authorize, authorizePath, reviewAccess } from './authorization.ts';
import type { ApiResponse, Call, Cluster, Target, Verb } from './cluster.ts';
import { deleteCall } from './delete.ts';
import { discover, hasGroup } from './discovery.ts';
import { evict } from './eviction.ts';
import { get, list } from './read.ts';
import type { LoggedRequest } from './request-log.ts';
import type { Resource } from './resources.ts';
import { RESOURCES, servedVersions } from './resources.ts';
import { create, patch, update } from './write.ts';

interface PathParts {
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
}

function parsePath(path: string): PathParts | undefined {
  const [, root, ...parts] = path.split('/').map(decodeURIComponent);
  if (root === 'api') {
    const [version = '', ...rest] = parts;
    return { group: '', version, rest };
  }
  const [group = '', version = '', ...rest] = parts;
  return root === 'apis' ? { group, version, rest } : undefined;
}

function findServedResource({ group, version }: PathParts, plural: string, minor: number): Resource | undefined {
  const found = RESOURCES.find(resource => resource.group === group && resource.plural === plural);
  return found !== undefined && servedVersions(found, minor).includes(version) ? found : undefined;
}

/** `undefined`: the path is not a resource. */
function resolveTarget(path: string, minor: number): Target | undefined {
  const pathParts = parsePath(path);
  if (pathParts === undefined || pathParts.rest.length === 0) return undefined;
  const { rest, version } = pathParts;
  // /namespaces/a is the namespace, /namespaces/a/pods its content.
  const isInside = rest[0] === 'namespaces' && rest.length > 2;
  const [plural = '', name = '', subresource = '', ...more] = isInside ? rest.slice(2) : rest;
  const namespace = isInside ? (rest[1] ?? '') : '';
  const resource = findServedResource(pathParts, plural, minor);
  if (resource === undefined || more.length > 0) return undefined;
  if (resource.isNamespaced !== isInside && (isInside || name !== '')) return undefined;
  if (subresource !== '' && !resource.subresources?.includes(subresource)) return undefined;
  return { resource, version, namespace, name, subresource };
}

const isTrue = (value: string | null) => value === '1' || value === 'true';

/** `undefined`: the method is not supported. */
function resolveVerb(method: string, name: string, query: URLSearchParams): Verb | undefined {
  if (method === 'GET' && name !== '') return 'get';
  if (method === 'GET') return isTrue(query.get('watch')) ? 'watch' : 'list';
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return name === '' ? 'deletecollection' : 'delete';
  return undefined;
}

// Handles a request: resolves the target, authorizes the user and runs the verb.

const PAGE_NOT_FOUND: ApiResponse = { code: 404, body: '404 page not found\n' };

type Handler = (cluster: Cluster, call: Call) => ApiResponse;

const HANDLERS: Readonly<Record<string, Handler>> = { get, list, create, update, patch, delete: deleteCall };

function serve(cluster: Cluster, call: Call): ApiResponse {
  const { subresource, name } = call.target;
  if (subresource === 'eviction' && call.verb === 'create') return evict(cluster, call);
  const isUnsupported =
    subresource === '' ? call.verb === 'create' && name !== '' : ['create', 'delete'].includes(call.verb);
  // PUT or PATCH of a collection.
  const isCollection = name === '' && ['update', 'patch'].includes(call.verb);
  const handler = HANDLERS[call.verb];
  if (isUnsupported || isCollection || handler === undefined || subresource === 'eviction') throw methodNotAllowed();
  return handler(cluster, call);
}

function servePath(cluster: Cluster, user: User, request: LoggedRequest): ApiResponse {
  const { method, path } = request;
  if (path === ACCESS_REVIEW_PATH && method === 'POST') return reviewAccess(user, request.body);
  authorizePath(user, method, path);
  const found = discover(path, cluster.minor);
  if (found !== undefined && method !== 'GET') throw methodNotAllowed();
  if (found !== undefined) return found;
  // Unknown resources of a served group have a different error.
  if (hasGroup(path)) throw noSuchResource();
  return PAGE_NOT_FOUND;
}

/** `undefined`: the response is a stream that has started. */
export function handleRequest(
  cluster: Cluster,
  user: User,
  request: LoggedRequest,
  startWatch: (call: Call) => void,
): ApiResponse | undefined {
  const query = new URLSearchParams(request.query);
  const target = resolveTarget(request.path, cluster.minor);
  if (target === undefined) return servePath(cluster, user, request);
  const verb = resolveVerb(request.method, target.name, query);
  if (verb === undefined) throw methodNotAllowed();
  authorize(user, verb, target);
  const { body, contentType } = request;
  const call = { verb, target, user, query, body, contentType };
  if (verb !== 'watch') return serve(cluster, call);
  startWatch(call);
  return undefined;
}

export function toErrorResponse(error: unknown): ApiResponse {
  if (!(error instanceof ApiError)) throw error;
  const { code, status: body, retryAfterSeconds } = error;
  return { code, body, retryAfterSeconds };
}

export function sendResponse({ code, body, retryAfterSeconds = 0 }: ApiResponse, response: ServerResponse): void {
  const isText = typeof body === 'string';
  response.writeHead(code, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    ...(retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds) } : {}),
  });
  response.end(isText ? body : JSON.stringify(body));
}
