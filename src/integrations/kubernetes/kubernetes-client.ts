// A client of the required parts of the Kubernetes API. Invariants: responses are validated; every write identifies its
// object by UID or resource version, so another object of the same name is not affected; expected results such as a
// conflict are return values, everything else is thrown.

import Type from 'typebox';
import { schemaParser } from '../http/schema-parser.ts';
import type { KubernetesClientOptions } from './api-server.ts';
import { ApiServer, objectPath } from './api-server.ts';
import { createCertificateRequestsApi } from './certificate-requests.ts';
import { createNodesApi } from './nodes.ts';
import { createPodsApi } from './pods.ts';
import { createSecretsApi } from './secrets.ts';
import { watchNodes } from './watch-nodes.ts';

export interface Permission {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'approve';
  /** Missing or '': the core group. */
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  /** Restricts the permission to one object. */
  readonly name?: string;
}

const readReview = schemaParser('an access review', Type.Object({ status: Type.Object({ allowed: Type.Boolean() }) }));

export const describePermission = ({ verb, resource, subresource, namespace, name }: Permission): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;

async function checkPermission(server: ApiServer, permission: Permission): Promise<boolean> {
  const { body } = await server.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { resourceAttributes: permission },
    },
    action: 'review access',
  });
  return readReview(body).status.allowed;
}

const readConfigMap = schemaParser(
  'a configmap of the API',
  Type.Object({ data: Type.Optional(Type.Record(Type.String(), Type.String())) }),
);

export type KubernetesClient = ReturnType<typeof createKubernetesClient>;

const readVersion = schemaParser('the version of the API', Type.Object({ gitVersion: Type.String() }));

export function createKubernetesClient(options: KubernetesClientOptions) {
  const server = new ApiServer(options);
  const nodes = createNodesApi(server);
  return {
    displayName: server.displayName,
    nodes,
    pods: createPodsApi(server),
    secrets: createSecretsApi(server),
    /** Returns the data by key; `undefined` if the ConfigMap does not exist. */
    getConfigMap: (namespace: string, name: string) =>
      server.get(
        objectPath('configmaps', { namespace, name }),
        `read the configmap ${name} in ${namespace}`,
        body => readConfigMap(body).data ?? {},
      ),
    certificateRequests: createCertificateRequestsApi(server),
    version: async () =>
      readVersion((await server.request({ method: 'GET', path: '/version', action: 'report its version' })).body)
        .gitVersion,
    hasPermission: (permission: Permission) => checkPermission(server, permission),
    watchNodes: (onChange: () => void, signal: AbortSignal) => watchNodes(server, nodes, onChange, signal),
  };
}
