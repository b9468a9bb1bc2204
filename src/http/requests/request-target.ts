import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { routes } from '../../contract/index.ts';
import { expandPath } from '../../contract/path-variables.ts';
import type { RouteDefinition } from '../../contract/route-definition.ts';
import { AppError } from '../../domain/errors.ts';
import { formatOrList } from '../../lib/text.ts';
import { AppErrorException } from '../errors/error-responses.ts';

/** Proxies may send the target with scheme and host (RFC 9112, 3.2.2). */
const stripOrigin = (target: string) =>
  target.startsWith('/') ? target : `/${target.replace(/^https?:\/\/[^/?#]*\/?/i, '')}`;

/** Escapes the percent signs of a path that cannot be decoded, so it passes the same checks as others. */
export function normalizeTarget(target: string): string {
  const url = stripOrigin(target);
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

const missingHost = new AppError('bad_request', 'the Host header is missing');
const repeatedHost = new AppError('bad_request', 'the Host header is repeated');

/** `rawHeaders` alternates names and values. */
function isHostRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count > 1;
}

/** HTTP/1.1 requires exactly one `Host` header (RFC 9112, 3.2). A proxy may have used the other of two. */
export function checkHostHeader({ headers, rawHeaders, httpVersion }: IncomingMessage): AppErrorException | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? new AppErrorException(missingHost) : undefined;
  return isHostRepeated(rawHeaders) ? new AppErrorException(repeatedHost) : undefined;
}

export function requireHostHeader(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => done(checkHostHeader(raw)));
}

const allRoutes: readonly RouteDefinition[] = Object.values(routes);

/** Accepts repeated and trailing slashes, like the router. */
function toPathPattern(path: string): RegExp {
  const escaped = path.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('/', '/+');
  return new RegExp(`^${expandPath(escaped, () => '[^/]+')}/*$`);
}

const patterns = allRoutes.flatMap(route =>
  [route.path, ...(route.aliases ?? [])].map(path => ({ pattern: toPathPattern(path), method: route.method })),
);

/** Returns an empty list for an unknown path. */
export function allowedMethods(path: string): readonly string[] {
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0) return [];
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
}

export const methodNotAllowed = (method: string, methods: readonly string[]) =>
  new AppError('method_not_allowed', `${method} is not allowed on this path; use ${formatOrList(methods)}`);

/** Handles OPTIONS, wrong methods and unknown paths. The body is not read. */
export function handleUnmatchedRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = request.url.split('?')[0] ?? '';
    const methods = allowedMethods(path);
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    if (methods.length === 0) done(new AppErrorException(new AppError('not_found', `the path ${path} does not exist`)));
    else if (request.method === 'OPTIONS') reply.code(204).send();
    else done(new AppErrorException(methodNotAllowed(request.method, methods)));
  });
}
