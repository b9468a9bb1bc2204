import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../../app/auth/principal.ts';
import type { App } from '../../app/index.ts';
import type { RouteDefinition } from '../../contract/route-definition.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { formatOrList } from '../../lib/text.ts';
import { AppErrorException } from '../errors/error-responses.ts';
import {
  isDashboardRequest,
  isTlsRequest,
  parseBasicAuth,
  readSessionSecret,
  sessionCookieName,
} from './credential-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined on routes without authentication. */
    actor: Actor | undefined;
  }
  interface FastifyContextConfig {
    route?: RouteDefinition;
  }
}

const missingCredentials = new AppError('unauthorized', 'this request needs a user name and password (HTTP Basic)');

const invalidSession = new AppError('unauthorized', 'the session does not exist or has expired; sign in again');

const confirmationRequired = new AppError(
  'confirmation_needed',
  'this request needs a password confirmation within the last five minutes; confirm the password and repeat the request',
);

const repeatedAuthorization = new AppError('bad_request', 'the request has more than one Authorization header');

/** In canonical form. If `X-Forwarded-For` does not contain an address, this is the address of the proxy. */
const callerAddress = (request: FastifyRequest) =>
  parseAddress(request.ip) ?? parseAddress(request.socket.remoteAddress ?? '') ?? '';

/** A cached login returns synchronously, which is the common case. */
type AuthResult = Principal | AppError | Promise<Principal | AppError>;

/** Routes with a confirmation read the session from the store: another server may have confirmed it. */
function authenticateSession(
  { sessions }: App,
  request: FastifyRequest,
  route: RouteDefinition | undefined,
  address: string,
): AuthResult {
  const secret = readSessionSecret(request.headers, sessionCookieName(isTlsRequest(request)));
  if (secret === undefined) return invalidSession;
  const cached = route?.requiresConfirmation ? undefined : sessions.findCachedLogin(secret, address);
  return cached ?? sessions.authenticate(secret, address).then(login => login ?? invalidSession);
}

function authenticateBasic(
  app: App,
  { headers }: FastifyRequest,
  route: RouteDefinition | undefined,
  address: string,
): AuthResult {
  if (headers.authorization === undefined) return missingCredentials;
  const authorization = new Secret(headers.authorization);
  const worksDuringStoreOutage = route?.worksDuringStoreOutage === true;
  // Routes that work during a store outage read the store on every request, which keeps the outage cache filled.
  const cached = worksDuringStoreOutage ? undefined : app.findCachedLogin(authorization, address);
  if (cached) return cached;
  const credentials = parseBasicAuth(authorization);
  if (credentials === undefined) return missingCredentials;
  return worksDuringStoreOutage
    ? app.authenticateWithFallback(credentials, address)
    : app.authenticate(credentials, address);
}

/**
 * Decides between session and Basic authentication. A browser that remembers a password sends it with every request, so
 * users could not sign out if the server accepted it everywhere. On dashboard requests the server therefore ignores
 * Basic credentials, except on routes with `requiresPassword`, `acceptsPassword` or `requiresConfirmation`. There they
 * replace the session, and on routes with `requiresConfirmation` also the confirmation.
 */
function usesSession(headers: IncomingHttpHeaders, route: RouteDefinition | undefined): boolean {
  if (!isDashboardRequest(headers) || route?.requiresPassword === true) return false;
  return headers.authorization === undefined || !(route?.acceptsPassword || route?.requiresConfirmation);
}

function resolveActor(
  app: App,
  request: FastifyRequest,
  route: RouteDefinition | undefined,
): Actor | AppError | Promise<Actor | AppError> {
  const address = callerAddress(request);
  const toActor = (login: Principal | AppError): Actor | AppError =>
    login instanceof AppError ? login : { ...login, address, requestId: request.id };
  const authenticate = usesSession(request.headers, route) ? authenticateSession : authenticateBasic;
  const result = authenticate(app, request, route, address);
  return result instanceof Promise ? result.then(toActor) : toActor(result);
}

function isAllowed(route: RouteDefinition, actor: Actor, params: unknown): boolean {
  if (route.roles === 'anyone' || route.roles.includes(actor.role)) return true;
  const accountName = params !== null && typeof params === 'object' && 'name' in params ? params.name : undefined;
  // A token has no account.
  return route.allowsOwnAccount === true && actor.token === undefined && accountName === actor.account;
}

const forbidden = ({ roles }: RouteDefinition, { role }: Actor) =>
  new AppError(
    'forbidden',
    `the role ${role} does not allow this request; it needs the role ${formatOrList(roles === 'anyone' ? [] : roles)}`,
  );

/** Runs before all other checks, so an unauthenticated client cannot find out which paths exist. */
export function authenticateRequests(server: FastifyInstance, app: App): void {
  server.decorateRequest('actor', undefined);
  const authorize = (request: FastifyRequest, route: RouteDefinition | undefined, actor: Actor | AppError) => {
    if (actor instanceof AppError) return new AppErrorException(actor);
    request.actor = actor;
    if (route === undefined) return undefined;
    if (!isAllowed(route, actor, request.params)) return new AppErrorException(forbidden(route, actor));
    const lacksConfirmation = route.requiresConfirmation && actor.session?.isConfirmed === false;
    return lacksConfirmation ? new AppErrorException(confirmationRequired) : undefined;
  };
  server.addHook('onRequest', (request, _reply, done) => {
    const { route } = request.routeOptions.config;
    if (route?.roles === 'anyone') {
      done();
      return;
    }
    // Node uses the first header, but a proxy may have checked the last one.
    if ((request.raw.headersDistinct['authorization']?.length ?? 0) > 1) {
      done(new AppErrorException(repeatedAuthorization));
      return;
    }
    const actor = resolveActor(app, request, route);
    const complete = (result: Actor | AppError) => {
      const error = authorize(request, route, result);
      const { actor: authorized } = request;
      if (error !== undefined || authorized?.token === undefined) return done(error);
      // Checked before the body is read, so a client with an expired token cannot make the server parse it.
      return void app.tokens
        .checkUsable(authorized)
        .then(tokenError => done(tokenError && new AppErrorException(tokenError)), done);
    };
    if (actor instanceof Promise) actor.then(complete, done);
    else complete(actor);
  });
}
