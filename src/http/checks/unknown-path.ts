import type { FastifyInstance } from 'fastify';
import { routes } from '../../contract/index.ts';
import { filledIn } from '../../contract/path-variables.ts';
import type { Route } from '../../contract/route.ts';
import { AppError } from '../../domain/errors.ts';
import { orList } from '../../lib/text/or-list.ts';
import { Refused } from '../problems/refused.ts';

const rows: readonly Route[] = Object.values(routes);

/** A path as a pattern; slashes may be doubled, and one may stand at the end. */
function patternOf(path: string): RegExp {
  const fixed = path.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('/', '/+');
  return new RegExp(`^${filledIn(fixed, () => '[^/]+')}/*$`);
}

const patterns = rows.flatMap(row =>
  [row.path, ...(row.aliases ?? [])].map(path => ({ pattern: patternOf(path), method: row.method })),
);

/** The methods that a path knows; none for a path that does not exist. */
export function methodsOf(path: string): readonly string[] {
  const known = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (known.length === 0) return [];
  return [...new Set([...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
}

export const notAllowed = (method: string, methods: readonly string[]) =>
  new AppError('method_not_allowed', `${method} is not allowed on this path; use ${orList(methods)}`);

/** What no route serves: OPTIONS, a wrong method on a known path, or a path that does not exist. A body is not looked at. */
export function answerUnserved(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = request.url.split('?')[0] ?? '';
    const methods = methodsOf(path);
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    if (methods.length === 0) done(new Refused(new AppError('not_found', `the path ${path} does not exist`)));
    else if (request.method === 'OPTIONS') reply.code(204).send();
    else done(new Refused(notAllowed(request.method, methods)));
  });
}
