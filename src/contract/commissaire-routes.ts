import Type from 'typebox';
import type { Routes } from './index.ts';
import { routes } from './index.ts';
import type { RouteDefinition } from './route-definition.ts';

/** There is no end date, because clients of this mode cannot be changed. */
export const NETWORK_DEPRECATION_DATE = '2026-11-15';

const { properties } = routes.putCluster.body;
const { network } = properties;
const putCluster: RouteDefinition = routes.putCluster;

export const commissaireRoutes: Readonly<Record<keyof Routes, RouteDefinition>> = {
  ...routes,
  putCluster: {
    ...putCluster,
    body: Type.Object({
      ...properties,
      network: Type.Optional({
        ...network,
        description: `Omitting this field is deprecated since ${NETWORK_DEPRECATION_DATE}: name the network, such as \`default\`.`,
      }),
    }),
  },
};
