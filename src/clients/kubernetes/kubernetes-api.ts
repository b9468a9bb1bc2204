// A client of the Kubernetes API, as much of it as is needed here. What must hold: what is read is checked before it is believed;
// every write says which object it is meant for, so that another one of the same name is left alone; what happens in normal life, such
// as a conflict, is a value, and everything else is thrown with a message for people.

import Type from 'typebox';
import { reading } from '../reading.ts';
import type { Right } from './access-review.ts';
import { mayDo } from './access-review.ts';
import type { KubernetesAccess } from './api-server.ts';
import { ApiServer } from './api-server.ts';
import type { CertificateRequestsApi } from './certificate-requests-api.ts';
import { certificateRequestsApi } from './certificate-requests-api.ts';
import type { ConfigMapsApi } from './config-maps-api.ts';
import { configMapsApi } from './config-maps-api.ts';
import type { NodesApi } from './nodes-api.ts';
import { nodesApi } from './nodes-api.ts';
import type { PodsApi } from './pods-api.ts';
import { podsApi } from './pods-api.ts';
import type { SecretsApi } from './secrets-api.ts';
import { secretsApi } from './secrets-api.ts';
import { watchNodes } from './watch-nodes.ts';

export interface KubernetesApi {
  /** The server, as it is told to people. */
  readonly name: string;
  readonly nodes: NodesApi;
  readonly pods: PodsApi;
  readonly secrets: SecretsApi;
  readonly configMaps: ConfigMapsApi;
  readonly certificateRequests: CertificateRequestsApi;
  /** As in `v1.31.2`. */
  version(): Promise<string>;
  may(right: Right): Promise<boolean>;
  /** See `watch-nodes.ts`. */
  watchNodes(changed: () => void, signal: AbortSignal): Promise<'ended' | 'expired'>;
}

const readVersion = reading('the version of the API', Type.Object({ gitVersion: Type.String() }));

/** Nothing is sent before something is asked. */
export function openKubernetesApi(access: KubernetesAccess): KubernetesApi {
  const server = new ApiServer(access);
  const nodes = nodesApi(server);
  return {
    name: server.name,
    nodes,
    pods: podsApi(server),
    secrets: secretsApi(server),
    configMaps: configMapsApi(server),
    certificateRequests: certificateRequestsApi(server),
    version: async () =>
      readVersion((await server.ask({ method: 'GET', path: '/version', what: 'report its version' })).body)
        .gitVersion,
    may: right => mayDo(server, right),
    watchNodes: (changed, signal) => watchNodes(server, nodes, changed, signal),
  };
}
