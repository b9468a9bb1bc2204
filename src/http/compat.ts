// What changes for clients of Commissaire, whose interface the specification describes. Nothing else does.

import { commissaireRoutes, NETWORK_REQUIRED_SINCE } from '../contract/commissaire-routes.ts';
import type { Routes } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import type { Route } from '../contract/route.ts';
import { AppError } from '../domain/errors.ts';
import { DEFAULT_NETWORK } from '../domain/record-name.ts';
import type { Handlers } from './call.ts';

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

/** The rows of the contract as this mode has them. */
export const routesOf = ({ isNetworkOptional }: Compat): Readonly<Record<keyof Routes, Route>> =>
  isNetworkOptional ? commissaireRoutes : routes;

/** RFC 9745: the date in seconds since 1970, and a link to the explanation. */
const NETWORK_MISSING = {
  deprecation: `@${Date.parse(NETWORK_REQUIRED_SINCE) / 1000}`,
  link: '</docs#putCluster>; rel="deprecation"; type="text/html"',
};

const putClusterOf =
  (putCluster: Handlers['putCluster']): Handlers['putCluster'] =>
  async call => {
    const body = { ...{ network: DEFAULT_NETWORK }, ...call.body };
    const answer = await putCluster({ ...call, body });
    if (answer instanceof AppError || Object.hasOwn(call.body ?? {}, 'network')) return answer;
    return { ...answer, headers: { ...answer.headers, ...NETWORK_MISSING } };
  };

/** The handlers as this mode has them: a cluster that is created without a network gets the default one, and the response says that this is deprecated. */
export const handlersOf = (handlers: Handlers, { isNetworkOptional }: Compat): Handlers => ({
  ...handlers,
  ...(isNetworkOptional && { putCluster: putClusterOf(handlers.putCluster) }),
});
