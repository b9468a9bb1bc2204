// The differences for clients of Commissaire.

import { commissaireRoutes, NETWORK_DEPRECATION_DATE } from '../contract/commissaire-routes.ts';
import type { Routes } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import type { RouteDefinition } from '../contract/route-definition.ts';
import { AppError } from '../domain/errors.ts';
import { DEFAULT_NETWORK } from '../domain/record-name.ts';
import type { Handlers } from './request-context.ts';

export interface CompatMode {
  readonly unauthorizedStatus: 401 | 403;
  /** Status of a PUT that finds the record with the same content. */
  readonly repeatedPutStatus: 200 | 201;
  readonly isNetworkOptional: boolean;
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

export const routesForMode = ({ isNetworkOptional }: CompatMode): Readonly<Record<keyof Routes, RouteDefinition>> =>
  isNetworkOptional ? commissaireRoutes : routes;

/** RFC 9745: date in seconds since 1970, and a link to the documentation. */
const DEPRECATION_HEADERS = {
  deprecation: `@${Date.parse(NETWORK_DEPRECATION_DATE) / 1000}`,
  link: '</docs#putCluster>; rel="deprecation"; type="text/html"',
};

const withDefaultNetwork =
  (putCluster: Handlers['putCluster']): Handlers['putCluster'] =>
  async context => {
    const { network }: { network?: string } = context.body;
    const result = await putCluster({ ...context, body: { ...context.body, network: network ?? DEFAULT_NETWORK } });
    if (result instanceof AppError || network !== undefined) return result;
    return { ...result, headers: { ...result.headers, ...DEPRECATION_HEADERS } };
  };

/** In Commissaire mode a cluster without a network gets the default one, and the response has deprecation headers. */
export const handlersForMode = (handlers: Handlers, { isNetworkOptional }: CompatMode): Handlers => ({
  ...handlers,
  ...(isNetworkOptional && { putCluster: withDefaultNetwork(handlers.putCluster) }),
});
