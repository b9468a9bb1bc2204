import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app/index.ts';
import type { Route } from '../../contract/route.ts';
import type { Actor } from '../../domain/actor.ts';
import { parseAddress } from '../../domain/address.ts';
import { Refusal } from '../../domain/errors.ts';
import { Refused } from '../problems/refused.ts';
import { parseBasicAuth } from './basic-auth.ts';

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

/** The caller's address, in the form in which addresses are compared. */
const callerAddress = (request: FastifyRequest) => parseAddress(request.ip) ?? request.ip;

async function identify(app: App, request: FastifyRequest): Promise<Actor | Refusal> {
  const credentials = parseBasicAuth(request.headers.authorization);
  if (credentials === undefined) return missing;
  const address = callerAddress(request);
  const login = await app.authenticate(credentials.name, credentials.password, address);
  return login instanceof Refusal ? login : { ...login, address, requestId: request.id };
}

function isAllowed(row: Route, actor: Actor, params: unknown): boolean {
  if (row.roles === 'anyone' || row.roles.includes(actor.role)) return true;
  const named = params !== null && typeof params === 'object' && 'name' in params ? params.name : undefined;
  return row.alsoSelf === true && named === actor.account;
}

/** First of all checks: credentials. On a path that exists, the role follows; on others the 404 does. */
export function authenticateRequests(server: FastifyInstance, app: App): void {
  server.decorateRequest('actor', undefined);
  server.addHook('onRequest', async request => {
    const { row } = request.routeOptions.config;
    if (row?.roles === 'anyone') return;
    const actor = await identify(app, request);
    if (actor instanceof Refusal) throw new Refused(actor);
    request.actor = actor;
    if (row && !isAllowed(row, actor, request.params)) {
      throw new Refused(new Refusal('forbidden', `the role ${actor.role} does not allow this`));
    }
  });
}
