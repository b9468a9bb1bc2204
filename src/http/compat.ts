// What changes for clients of Commissaire, whose interface the specification describes. Nothing else does.

import type { FastifyInstance } from 'fastify';
import type { Deprecation } from '../contract/deprecation.ts';
import { routes } from '../contract/index.ts';
import { DEFAULT_NETWORK } from '../domain/record-name.ts';
import type { CalledRow } from './deprecation/announce-deprecations.ts';
import { announce } from './deprecation/announce-deprecations.ts';
import type { DeprecatedUses } from './deprecation/deprecated-uses.ts';

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

/** Since the day that Hostler's interface was fixed. It has no end: the mode is there for clients that cannot be changed. */
export const LEFT_OUT_NETWORK: Deprecation = {
  of: { kind: 'left-out field', name: 'network' },
  since: '2026-11-15',
  instead: 'name the network, such as `default`',
};

/** Gives clusters that are created without a network the default one, and says that this is deprecated. */
export function fillInNetwork(server: FastifyInstance, uses: DeprecatedUses): void {
  const called: CalledRow = { operationId: 'putCluster', row: routes.putCluster };
  server.addHook('preValidation', async (request, reply) => {
    if (request.routeOptions.config.row !== called.row) return;
    const body: unknown = request.body ?? {};
    if (typeof body !== 'object' || body === null || Array.isArray(body) || 'network' in body) return;
    request.body = { ...body, network: DEFAULT_NETWORK };
    announce(called, [LEFT_OUT_NETWORK], { request, reply, uses });
  });
}
