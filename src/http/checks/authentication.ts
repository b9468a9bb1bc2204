import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Login } from '../../app/accounts/login.ts';
import type { App } from '../../app/index.ts';
import type { Route } from '../../contract/route.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { Refusal } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
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

const missing = new Refusal('unauthorized', 'this call needs HTTP Basic credentials');

const noSession = new Refusal('unauthorized', 'there is no such session, or it is over; sign in again');

/** The caller's address, in the form in which addresses are compared. */
const callerAddress = (request: FastifyRequest) => parseAddress(request.ip) ?? request.ip;

/** Whom credentials let in: at once, for a caller who was known a moment ago, which most are. */
type Found = Login | Refusal | Promise<Login | Refusal>;

/** Who calls by a session, where no password is sent. */
function findBySession({ sessions }: App, request: FastifyRequest, address: string): Found {
  const secret = sessionSecretOf(request.headers, sessionCookieName(isSecure(request)));
  if (secret === undefined) return noSession;
  return (
    sessions.recentCaller(secret, address) ?? sessions.find(secret, address).then(login => login ?? noSession)
  );
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

function identify(
  app: App,
  request: FastifyRequest,
  row: Route | undefined,
): Actor | Refusal | Promise<Actor | Refusal> {
  const address = callerAddress(request);
  const { authorization } = request.headers;
  const toActor = (login: Login | Refusal): Actor | Refusal => {
    if (login instanceof Refusal) return login;
    return { ...login, address, requestId: request.id };
  };
  if (authorization === undefined && (row?.needsPassword === true || !isFromDashboard(request.headers)))
    return missing;
  const found =
    authorization === undefined
      ? findBySession(app, request, address)
      : findByPassword(app, new Secret(authorization), {
          address,
          outlivesStore: row?.outlivesStore === true,
        });
  return found instanceof Promise ? found.then(toActor) : toActor(found);
}

function isAllowed(row: Route, actor: Actor, params: unknown): boolean {
  if (row.roles === 'anyone' || row.roles.includes(actor.role)) return true;
  const named = params !== null && typeof params === 'object' && 'name' in params ? params.name : undefined;
  // A token is no account.
  return row.alsoSelf === true && actor.token === undefined && named === actor.account;
}

/** First of all checks: credentials. On a path that exists, the role follows; on others the 404 does. */
export function authenticateRequests(server: FastifyInstance, app: App): void {
  server.decorateRequest('actor', undefined);
  const admit = (request: FastifyRequest, row: Route | undefined, actor: Actor | Refusal) => {
    if (actor instanceof Refusal) return new Refused(actor);
    request.actor = actor;
    if (row === undefined || isAllowed(row, actor, request.params)) return undefined;
    return new Refused(new Refusal('forbidden', `the role ${actor.role} does not allow this`));
  };
  server.addHook('onRequest', (request, _reply, done) => {
    const { row } = request.routeOptions.config;
    if (row?.roles === 'anyone') {
      done();
      return;
    }
    const actor = identify(app, request, row);
    if (actor instanceof Promise) actor.then(found => done(admit(request, row, found)), done);
    else done(admit(request, row, actor));
  });
}
