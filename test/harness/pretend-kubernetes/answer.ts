// From a request that has arrived to its answer: who calls, what is meant, whether it is allowed, what follows.

import type { ServerResponse } from 'node:http';
import { ACCESS_REVIEW_PATH, reviewAccess } from './access-review.ts';
import type { User } from './accounts.ts';
import { ApiError, methodNotAllowed, noSuchResource } from './api-error.ts';
import { authorize, authorizePath } from './authorization.ts';
import type { Answer, Call, Cluster } from './cluster.ts';
import { create } from './create.ts';
import { deleteCall } from './delete.ts';
import { discover, hasGroup } from './discovery.ts';
import { evict } from './eviction.ts';
import { get, list } from './read.ts';
import type { LoggedRequest } from './request-log.ts';
import { routeOf, verbOf } from './routes.ts';
import { patch, update } from './update.ts';

const NO_PAGE: Answer = { code: 404, body: '404 page not found\n' };

type Serve = (cluster: Cluster, call: Call) => Answer;

const SERVED: Readonly<Record<string, Serve>> = { get, list, create, update, patch, delete: deleteCall };

function serve(cluster: Cluster, call: Call): Answer {
  const { subresource, name } = call.target;
  if (subresource === 'eviction' && call.verb === 'create') return evict(cluster, call);
  const isOdd =
    subresource === '' ? call.verb === 'create' && name !== '' : ['create', 'delete'].includes(call.verb);
  // A PUT or PATCH of a whole list, or a POST to one object.
  const isWhole = name === '' && ['update', 'patch'].includes(call.verb);
  const how = SERVED[call.verb];
  if (isOdd || isWhole || how === undefined || subresource === 'eviction') throw methodNotAllowed();
  return how(cluster, call);
}

function servePath(cluster: Cluster, user: User, request: LoggedRequest): Answer {
  const { method, path } = request;
  if (path === ACCESS_REVIEW_PATH && method === 'POST') return reviewAccess(user, request.body);
  authorizePath(user, method, path);
  const found = discover(path, cluster.minor);
  if (found !== undefined && method !== 'GET') throw methodNotAllowed();
  if (found !== undefined) return found;
  // A group that is served knows what it does not have.
  if (hasGroup(path)) throw noSuchResource();
  return NO_PAGE;
}

/** undefined: the answer is a stream, and has begun. */
export function answerTo(
  cluster: Cluster,
  user: User,
  request: LoggedRequest,
  beginWatch: (call: Call) => void,
): Answer | undefined {
  const query = new URLSearchParams(request.query);
  const target = routeOf(request.path, cluster.minor);
  if (target === undefined) return servePath(cluster, user, request);
  const verb = verbOf(request.method, target.name, query);
  if (verb === undefined) throw methodNotAllowed();
  authorize(user, verb, target);
  const { body, contentType } = request;
  const call = { verb, target, user, query, body, contentType };
  if (verb !== 'watch') return serve(cluster, call);
  beginWatch(call);
  return undefined;
}

export function errorAnswer(error: unknown): Answer {
  if (!(error instanceof ApiError)) throw error;
  const { code, status: body, retryAfterSeconds } = error;
  return { code, body, retryAfterSeconds };
}

export function send({ code, body, retryAfterSeconds = 0 }: Answer, response: ServerResponse): void {
  const isText = typeof body === 'string';
  response.writeHead(code, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    ...(retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds) } : {}),
  });
  response.end(isText ? body : JSON.stringify(body));
}
