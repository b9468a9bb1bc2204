// The route definitions in the mode for clients of Commissaire.

import Type from 'typebox';
import type { Deprecation } from './deprecation.ts';
import type { Routes } from './index.ts';
import { routes } from './index.ts';
import type { Route } from './route.ts';

/** Deprecated since the API of Hostler was fixed. It has no sunset date, because clients of this mode cannot be changed. */
const LEFT_OUT_NETWORK: Deprecation = {
  of: { kind: 'left-out field', name: 'network' },
  since: '2026-11-15',
  instead: 'name the network, such as `default`',
};

const { properties } = routes.putCluster.body;
const putCluster: Route = routes.putCluster;

export const commissaireRoutes: Readonly<Record<keyof Routes, Route>> = {
  ...routes,
  putCluster: {
    ...putCluster,
    body: Type.Object({ ...properties, network: Type.Optional(properties.network) }),
    deprecations: [...(putCluster.deprecations ?? []), LEFT_OUT_NETWORK],
  },
};
