import type { FastifyReply, FastifyRequest } from 'fastify';
import { routes } from '../../contract/index.ts';
import type { Route } from '../../contract/route.ts';
import { Refusal } from '../../domain/errors.ts';

const rows: readonly Route[] = Object.values(routes);

/** A path as a pattern; slashes may be doubled, and one may stand at the end. */
const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/\/$/, '')
      .replaceAll('.', '\\.')
      .replaceAll('/', '/+')
      .replace(/\{\w+\}/g, '[^/]+')}/*$`,
  );

const patterns = rows.flatMap(row =>
  [row.path, ...(row.aliases ?? [])].map(path => ({ pattern: patternOf(path), method: row.method })),
);

/** The methods that a path knows; none for a path that does not exist. */
export function methodsOf(path: string): readonly string[] {
  const known = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (known.length === 0) return [];
  return [...new Set([...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
}

/** What no route serves: OPTIONS, a wrong method on a known path, or a path that does not exist. */
export function answerUnserved(request: FastifyRequest, reply: FastifyReply): Refusal | undefined {
  const path = request.url.split('?')[0] ?? '';
  const methods = methodsOf(path);
  if (methods.length === 0) return new Refusal('not_found', `there is no ${path}`);
  reply.header('allow', methods.join(', '));
  if (request.method === 'OPTIONS') return undefined;
  return new Refusal(
    'method_not_allowed',
    `${request.method} is not for this path, but ${methods.join(', ')}`,
  );
}
