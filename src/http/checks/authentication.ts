import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Login } from '../../app/accounts/login.ts';
import type { App } from '../../app/index.ts';
import type { Route } from '../../contract/route.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { orList } from '../../lib/text/or-list.ts';
import { Refused } from '../problems/refused.ts';
import { isSecure, sessionCookieName } from '../requests/session-cookie.ts';
import { parseBasicAuth } from './basic-auth.ts';
import { isFromDashboard, sessionSecretOf } from './session-secret.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; `undefined` where no credentials are needed. */
    actor: Actor | undefined;
  }
  interface FastifyContextConfig {
    row?: Route;
  }
}

const missing = new AppError('unauthorized', 'this request needs a user name and password (HTTP Basic)');

const noSession = new AppError('unauthorized', 'the session does not exist or has expired; sign in again');

const confirmationNeeded = new AppError(
  'confirmation_needed',
  'this request needs a password confirmation within the last five minutes; confirm the password and repeat the request',
);

const severalCredentials = new AppError('bad_request', 'the request has more than one Authorization header');

/**
 * The caller's address, in the form in which addresses are compared. If a proxy sends something else than an address in `X-Forwarded-For`, it is
 * the address of the proxy.
 */
const callerAddress = (request: FastifyRequest) =>
  parseAddress(request.ip) ?? parseAddress(request.socket.remoteAddress ?? '') ?? '';

/** Whom credentials let in: at once, for a caller who was known a moment ago, which most are. */
type Found = Login | AppError | Promise<Login | AppError>;

/** Finds the caller of a session. Routes that need a confirmation read the session from the store, because another server may have confirmed it. */
function findBySession(
  { sessions }: App,
  request: FastifyRequest,
  { address, row }: { address: string; row: Route | undefined },
): Found {
  const secret = sessionSecretOf(request.headers, sessionCookieName(isSecure(request)));
  if (secret === undefined) return noSession;
  const recent = row?.needsConfirmation ? undefined : sessions.recentCaller(secret, address);
  return recent ?? sessions.find(secret, address).then(login => login ?? noSession);
}

function findByPassword(
  app: App,
  presented: Secret,
  { address, outlivesStore }: { address: string; outlivesStore: boolean },
): Found {
  // Whoever is to be let in without the store is looked up in it each time, to be known when it is away.
  const known = outlivesStore ? undefined : app.recentCaller(presented, address);
  if (known) return known;
  const credentials = parseBasicAuth(presented);
  if (credentials === undefined) return missing;
  return outlivesStore
    ? app.authenticateLasting(credentials, address)
    : app.authenticate(credentials, address);
}

/**
 * Whether the caller is identified by a session. A browser that remembers a password sends it with every request: users could not sign out if
 * the server accepted it everywhere. So on requests of the dashboard the server ignores user name and password, except on routes with
 * `needsPassword`, `takesPassword` or `needsConfirmation`. There they replace the session, no matter whether the dashboard or the browser added
 * them; on routes with `needsConfirmation` they also replace the confirmation.
 */
function isSessionMeant(headers: IncomingHttpHeaders, row: Route | undefined): boolean {
  if (!isFromDashboard(headers) || row?.needsPassword === true) return false;
  return headers.authorization === undefined || !(row?.takesPassword || row?.needsConfirmation);
}

function findCaller(app: App, request: FastifyRequest, row: Route | undefined, address: string): Found {
  if (isSessionMeant(request.headers, row)) return findBySession(app, request, { address, row });
  const { authorization } = request.headers;
  if (authorization === undefined) return missing;
  const outlivesStore = row?.outlivesStore === true;
  return findByPassword(app, new Secret(authorization), { address, outlivesStore });
}

function identify(
  app: App,
  request: FastifyRequest,
  row: Route | undefined,
): Actor | AppError | Promise<Actor | AppError> {
  const address = callerAddress(request);
  const toActor = (login: Login | AppError): Actor | AppError => {
    if (login instanceof AppError) return login;
    return { ...login, address, requestId: request.id };
  };
  const found = findCaller(app, request, row, address);
  return found instanceof Promise ? found.then(toActor) : toActor(found);
}

function isAllowed(row: Route, actor: Actor, params: unknown): boolean {
  if (row.roles === 'anyone' || row.roles.includes(actor.role)) return true;
  const named = params !== null && typeof params === 'object' && 'name' in params ? params.name : undefined;
  // A token is no account.
  return row.alsoSelf === true && actor.token === undefined && named === actor.account;
}

const forbidden = ({ roles }: Route, { role }: Actor) =>
  new AppError(
    'forbidden',
    `the role ${role} does not allow this request; it needs the role ${orList(roles === 'anyone' ? [] : roles)}`,
  );

/** First of all checks: credentials. On a path that exists, the role follows; on others the 404 does. */
export function authenticateRequests(server: FastifyInstance, app: App): void {
  server.decorateRequest('actor', undefined);
  const admit = (request: FastifyRequest, row: Route | undefined, actor: Actor | AppError) => {
    if (actor instanceof AppError) return new Refused(actor);
    request.actor = actor;
    if (row === undefined) return undefined;
    if (!isAllowed(row, actor, request.params)) return new Refused(forbidden(row, actor));
    const lacksConfirmation = row.needsConfirmation && actor.session?.isConfirmed === false;
    return lacksConfirmation ? new Refused(confirmationNeeded) : undefined;
  };
  server.addHook('onRequest', (request, _reply, done) => {
    const { row } = request.routeOptions.config;
    if (row?.roles === 'anyone') {
      done();
      return;
    }
    // Node uses the first one; a proxy may have checked the last one.
    if ((request.raw.headersDistinct['authorization']?.length ?? 0) > 1) {
      done(new Refused(severalCredentials));
      return;
    }
    const actor = identify(app, request, row);
    const decide = (found: Actor | AppError) => {
      const problem = admit(request, row, found);
      const { actor: admitted } = request;
      if (problem !== undefined || admitted?.token === undefined) return done(problem);
      // Judged before the body is read, so that a caller with an old token cannot make the service parse it.
      return void app.tokens.unusable(admitted).then(refusal => done(refusal && new Refused(refusal)), done);
    };
    if (actor instanceof Promise) actor.then(decide, done);
    else decide(actor);
  });
}
