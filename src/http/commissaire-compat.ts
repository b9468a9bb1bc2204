// The differences for clients of Commissaire. Other differences are at the uses of `isCommissaire`.

import { commissaireRoutes, NETWORK_DEPRECATION_DATE } from '../contract/commissaire-routes.ts';
import type { Routes } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import type { RouteDefinition } from '../contract/route-definition.ts';
import { AppError } from '../domain/errors.ts';
import { DEFAULT_NETWORK } from '../domain/record-name.ts';
import type { Handlers } from './request-context.ts';

export const routesForMode = (isCommissaire: boolean): Readonly<Record<keyof Routes, RouteDefinition>> =>
  isCommissaire ? commissaireRoutes : routes;

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
export const handlersForMode = (handlers: Handlers, isCommissaire: boolean): Handlers => ({
  ...handlers,
  ...(isCommissaire && { putCluster: withDefaultNetwork(handlers.putCluster) }),
});
