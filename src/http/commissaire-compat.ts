// What changes for clients of Commissaire, whose interface the specification describes. Nothing else does.

import { commissaireRoutes, NETWORK_DEPRECATION_DATE } from '../contract/commissaire-routes.ts';
import type { Routes } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import type { RouteDefinition } from '../contract/route-definition.ts';
import { AppError } from '../domain/errors.ts';
import { DEFAULT_NETWORK } from '../domain/record-name.ts';
import type { Handlers } from './request-context.ts';

export interface CompatMode {
  /** The status of missing or wrong credentials. */
  readonly unauthorizedStatus: 401 | 403;
  /** The status of a PUT that found the record there with the same content. */
  readonly repeatedPutStatus: 200 | 201;
  /** Whether a cluster may be created without naming a network. */
  readonly isNetworkOptional: boolean;
  /** Whether the records of restart, upgrade and deploy name their cluster. */
  readonly includesClusterName: boolean;
}

export const STANDARD_MODE: CompatMode = {
  unauthorizedStatus: 401,
  repeatedPutStatus: 200,
  isNetworkOptional: false,
  includesClusterName: false,
};
export const COMMISSAIRE_MODE: CompatMode = {
  unauthorizedStatus: 403,
  repeatedPutStatus: 201,
  isNetworkOptional: true,
  includesClusterName: true,
};

/** The rows of the contract as this mode has them. */
export const routesForMode = ({
  isNetworkOptional,
}: CompatMode): Readonly<Record<keyof Routes, RouteDefinition>> =>
  isNetworkOptional ? commissaireRoutes : routes;

/** RFC 9745: the date in seconds since 1970, and a link to the explanation. */
const DEPRECATION_HEADERS = {
  deprecation: `@${Date.parse(NETWORK_DEPRECATION_DATE) / 1000}`,
  link: '</docs#putCluster>; rel="deprecation"; type="text/html"',
};

const withDefaultNetwork =
  (putCluster: Handlers['putCluster']): Handlers['putCluster'] =>
  async context => {
    const body = { ...{ network: DEFAULT_NETWORK }, ...context.body };
    const result = await putCluster({ ...context, body });
    if (result instanceof AppError || Object.hasOwn(context.body ?? {}, 'network')) return result;
    return { ...result, headers: { ...result.headers, ...DEPRECATION_HEADERS } };
  };

/** The handlers as this mode has them: a cluster that is created without a network gets the default one, and the response says that this is deprecated. */
export const handlersForMode = (handlers: Handlers, { isNetworkOptional }: CompatMode): Handlers => ({
  ...handlers,
  ...(isNetworkOptional && { putCluster: withDefaultNetwork(handlers.putCluster) }),
});
