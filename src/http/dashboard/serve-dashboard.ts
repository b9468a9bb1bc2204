// Serves the dashboard files without authentication: they contain no records and use the API like any other client.
// Invariants: a path can only match a file that was read at startup, and all files belong to one build.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DASHBOARD_PAGES } from '../../contract/dashboard-pages.ts';
import { AppErrorException } from '../errors/error-responses.ts';
import { acceptsHtml } from '../requests/request-headers.ts';
import { checkHostHeader, methodNotAllowed } from '../requests/request-target.ts';
import type { Dashboard, DashboardFile } from './dashboard-files.ts';
import { acceptsEncoding, ENCODINGS } from './dashboard-files.ts';
import { assetHeaders, PAGE_HEADERS } from './dashboard-headers.ts';

export type DashboardTarget = 'page' | 'page_not_found' | { readonly asset: string };

const pageSegments: ReadonlySet<string> = new Set(['', ...DASHBOARD_PAGES]);

/** Checked first, because almost all requests are API requests. */
const API_PREFIX = '/api/';

/** Returns undefined for other paths. Repeated and trailing slashes are accepted. */
export function matchDashboardPath(url: string): DashboardTarget | undefined {
  if (url.startsWith(API_PREFIX)) return undefined;
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const [segment = '', ...rest] = path.split('/').filter(part => part !== '');
  if (segment === 'assets') return { asset: rest.join('/') };
  return pageSegments.has(segment) ? 'page' : undefined;
}

/** Also true for unknown API paths. */
const isApiPath = (url: string): boolean => /^\/+api([/?#]|$)/.test(url);

const METHODS = ['GET', 'HEAD', 'OPTIONS'];

const NOT_BUILT = `Hostler is running, but its dashboard is not built.
Build it with "npm run build:web" in the checkout and restart the server.
The API is at /api/v0/, its documentation at /docs.
`;

const sendText = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(text);

/** RFC 9110, 13.1.2. */
const isNotModified = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some(tag => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) === true;

function selectRepresentation(request: FastifyRequest, { plain, encoded }: DashboardFile) {
  const header = request.headers['accept-encoding'];
  const acceptEncoding = typeof header === 'string' ? header : '';
  const encoding = ENCODINGS.find(candidate => encoded[candidate] && acceptsEncoding(acceptEncoding, candidate));
  return { ...((encoding && encoded[encoding]) ?? plain), encoding };
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: DashboardFile) {
  const { bytes, etag, encoding } = selectRepresentation(request, file);
  reply.header('etag', etag).header('vary', 'accept-encoding');
  if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).removeHeader('content-type').send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

/** The dashboard shows the error. Conditional headers do not apply to errors (RFC 9110, 13.2.1). */
function sendPageNotFound(request: FastifyRequest, reply: FastifyReply, dashboard: Dashboard | undefined) {
  if (dashboard === undefined) return sendText(reply, 404, 'Page not found.\n');
  const { bytes, encoding } = selectRepresentation(request, dashboard.index);
  reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-encoding' });
  if (encoding) reply.header('content-encoding', encoding);
  return reply.code(404).send(bytes);
}

function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  dashboard: Dashboard | undefined,
  target: DashboardTarget,
) {
  if (target === 'page_not_found') return sendPageNotFound(request, reply, dashboard);
  if (target === 'page') {
    if (dashboard === undefined) return sendText(reply, 200, NOT_BUILT);
    return sendFile(request, reply.headers(PAGE_HEADERS), dashboard.index);
  }
  const file = dashboard?.assets.get(target.asset);
  if (file === undefined) return sendText(reply, 404, 'File not found in this build of the dashboard.\n');
  return sendFile(request, reply.headers(assetHeaders(target.asset)), file);
}

/** A browser that follows a wrong link gets a page. It is the same page as `/`, so it reveals nothing. */
const isUnknownNavigation = ({ is404, method, headers, url }: FastifyRequest): boolean =>
  is404 && method === 'GET' && acceptsHtml(headers) && !isApiPath(url);

const findTarget = (request: FastifyRequest): DashboardTarget | undefined =>
  matchDashboardPath(request.url) ?? (isUnknownNavigation(request) ? 'page_not_found' : undefined);

/** Must run before authentication: these paths need no credentials for any method. */
export function serveDashboard(server: FastifyInstance, dashboard: Dashboard | undefined): void {
  server.addHook('onRequest', (request, reply, done) => {
    const target = findTarget(request);
    const hostError = target && checkHostHeader(request.raw);
    if (target === undefined || hostError) done(hostError);
    else if (request.method === 'GET' || request.method === 'HEAD') respond(request, reply, dashboard, target);
    else {
      reply.header('allow', METHODS.join(', '));
      if (request.method === 'OPTIONS') reply.code(204).send();
      else done(new AppErrorException(methodNotAllowed(request.method, METHODS)));
    }
  });
}
