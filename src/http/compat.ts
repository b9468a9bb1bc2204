// What changes for clients of Commissaire, whose interface the specification describes. Nothing else does.

import type { FastifyInstance } from 'fastify';
import { routes } from '../contract/index.ts';
import { DEFAULT_NETWORK } from '../domain/record-name.ts';

export interface Compat {
  /** The status of missing or wrong credentials. */
  readonly unauthorizedStatus: 401 | 403;
  /** The status of a PUT that found the record there with the same content. */
  readonly repeatedPutStatus: 200 | 201;
  /** Whether a cluster may be created without naming a network. */
  readonly isNetworkOptional: boolean;
  /** Whether the records of restart, upgrade and deploy name their cluster. */
  readonly areOperationsNamed: boolean;
}

export const NO_COMPAT: Compat = {
  unauthorizedStatus: 401,
  repeatedPutStatus: 200,
  isNetworkOptional: false,
  areOperationsNamed: false,
};
export const COMMISSAIRE: Compat = {
  unauthorizedStatus: 403,
  repeatedPutStatus: 201,
  isNetworkOptional: true,
  areOperationsNamed: true,
};

/** Since when it is deprecated to leave the network out, as RFC 9745 writes it: the day Hostler's interface was fixed. */
const DEPRECATED_SINCE = `@${Date.UTC(2026, 10, 15) / 1000}`;

/** Gives clusters that are created without a network the default one, and says that this is deprecated. */
export function fillInNetwork(server: FastifyInstance): void {
  server.addHook('preValidation', async (request, reply) => {
    if (request.routeOptions.config.row !== routes.putCluster) return;
    const body: unknown = request.body ?? {};
    if (typeof body !== 'object' || body === null || Array.isArray(body) || 'network' in body) return;
    request.body = { ...body, network: DEFAULT_NETWORK };
    reply.header('deprecation', DEPRECATED_SINCE);
  });
}
