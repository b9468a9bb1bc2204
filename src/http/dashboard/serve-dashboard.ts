// The dashboard's files, for anyone: they hold no records, and ask the interface for them like every other client. What must hold:
// a path is looked up among the files that were read at the start and nowhere else, and all of them are of one build.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hostProblem } from '../checks/host-header.ts';
import { notAllowed } from '../checks/unknown-path.ts';
import { Refused } from '../problems/refused.ts';
import { wantsPage } from '../requests/navigation.ts';
import { ENCODINGS, isAccepted } from './accepted-encoding.ts';
import { assetHeaders, PAGE_HEADERS } from './dashboard-headers.ts';
import type { DashboardTarget } from './dashboard-paths.ts';
import { dashboardTarget, isOfInterface } from './dashboard-paths.ts';
import type { Dashboard, DashboardFile } from './read-dashboard.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS'];

const NOT_BUILT = `Hostler is running, but its dashboard is not built.
Build it with "npm run build:web" in the checkout and restart the server.
The API is at /api/v0/, its documentation at /docs.
`;

const sendText = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(text);

/** Whether the client has these very bytes (RFC 9110, 13.1.2). */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some(each => ['*', etag].includes(each.trim().replace(/^W\//, ''))) === true;

/** The smallest form of a file that the client takes. */
function formOf(request: FastifyRequest, { plain, encoded }: DashboardFile) {
  const accepted = request.headers['accept-encoding'];
  const wanted = typeof accepted === 'string' ? accepted : '';
  const encoding = ENCODINGS.find(each => encoded[each] && isAccepted(wanted, each));
  return { ...((encoding && encoded[encoding]) ?? plain), encoding };
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: DashboardFile) {
  const { bytes, etag, encoding } = formOf(request, file);
  reply.header('etag', etag).header('vary', 'accept-encoding');
  if (isKnown(request.headers['if-none-match'], etag))
    return reply.code(304).removeHeader('content-type').send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

/** The page, which says by itself that there is none of this path. Whether the client has it already does not count (RFC 9110, 13.2.1). */
function sendNoSuchPage(request: FastifyRequest, reply: FastifyReply, dashboard: Dashboard | undefined) {
  if (dashboard === undefined) return sendText(reply, 404, 'Page not found.\n');
  const { bytes, encoding } = formOf(request, dashboard.index);
  reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-encoding' });
  if (encoding) reply.header('content-encoding', encoding);
  return reply.code(404).send(bytes);
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  dashboard: Dashboard | undefined,
  target: DashboardTarget,
) {
  if (target === 'no_such_page') return sendNoSuchPage(request, reply, dashboard);
  if (target === 'page') {
    if (dashboard === undefined) return sendText(reply, 200, NOT_BUILT);
    return sendFile(request, reply.headers(PAGE_HEADERS), dashboard.index);
  }
  const file = dashboard?.assets.get(target.asset);
  if (file === undefined) return sendText(reply, 404, 'File not found in this build of the dashboard.\n');
  return sendFile(request, reply.headers(assetHeaders(target.asset)), file);
}

/** Whoever follows a wrong link is shown a page. It is the one that all get at `/`, so it tells strangers nothing. */
const isLost = ({ is404, method, headers, url }: FastifyRequest): boolean =>
  is404 && method === 'GET' && wantsPage(headers) && !isOfInterface(url);

const targetOf = (request: FastifyRequest): DashboardTarget | undefined =>
  dashboardTarget(request.url) ?? (isLost(request) ? 'no_such_page' : undefined);

/** It comes before the checks of the interface: nobody needs credentials for these paths, whatever the method. */
export function serveDashboard(server: FastifyInstance, dashboard: Dashboard | undefined): void {
  server.addHook('onRequest', (request, reply, done) => {
    const target = targetOf(request);
    const problem = target && hostProblem(request.raw);
    if (target === undefined || problem) done(problem);
    else if (request.method === 'GET' || request.method === 'HEAD') answer(request, reply, dashboard, target);
    else {
      reply.header('allow', METHODS.join(', '));
      if (request.method === 'OPTIONS') reply.code(204).send();
      else done(new Refused(notAllowed(request.method, METHODS)));
    }
  });
}
