import Type from 'typebox';
import { schemaParser } from '../http/schema-parser.ts';
import type { KubernetesClientOptions } from './api-server.ts';
import { ApiServer, configMapPath } from './api-server.ts';
import type { CertificateRequestsApi } from './certificate-requests.ts';
import { createCertificateRequestsApi } from './certificate-requests.ts';
import type { NodesApi } from './nodes.ts';
import { createNodesApi } from './nodes.ts';
import type { PodsApi } from './pods.ts';
import { createPodsApi } from './pods.ts';
import type { SecretsApi } from './secrets.ts';
import { createSecretsApi } from './secrets.ts';
import { watchNodes } from './watch-nodes.ts';

/** Something that a caller may be allowed to do. */
export interface Permission {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'approve';
  /** '': the first group, without a name. */
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  /** Of the only one that is meant. */
  readonly name?: string;
}

const readReview = schemaParser(
  'an access review',
  Type.Object({ status: Type.Object({ allowed: Type.Boolean() }) }),
);

/** As it is told to people: `create secrets in kube-system`. */
export const describePermission = ({ verb, resource, subresource, namespace, name }: Permission): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;

/** Asks the server whether we may. */
export async function checkPermission(server: ApiServer, permission: Permission): Promise<boolean> {
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

export interface ConfigMapsApi {
  /** What is in it, by key. */
  get(namespace: string, name: string): Promise<Readonly<Record<string, string>> | undefined>;
}

export const createConfigMapsApi = (server: ApiServer): ConfigMapsApi => ({
  async get(namespace, name) {
    const { status, body } = await server.request({
      method: 'GET',
      path: configMapPath({ namespace, name }),
      action: `read the configmap ${name} in ${namespace}`,
      acceptedStatuses: [404],
    });
    return status === 404 ? undefined : (readConfigMap(body).data ?? {});
  },
});

// A client of the Kubernetes API, as much of it as is needed here. What must hold: what is read is checked before it is believed;
// every write says which object it is meant for, so that another one of the same name is left alone; what happens in normal life, such
// as a conflict, is a value, and everything else is thrown with a message for people.

export interface KubernetesClient {
  /** The server, as it is told to people. */
  readonly displayName: string;
  readonly nodes: NodesApi;
  readonly pods: PodsApi;
  readonly secrets: SecretsApi;
  readonly configMaps: ConfigMapsApi;
  readonly certificateRequests: CertificateRequestsApi;
  /** As in `v1.31.2`. */
  version(): Promise<string>;
  hasPermission(permission: Permission): Promise<boolean>;
  /** See `watch-nodes.ts`. */
  watchNodes(onChange: () => void, signal: AbortSignal): Promise<'ended' | 'expired'>;
}

const readVersion = schemaParser('the version of the API', Type.Object({ gitVersion: Type.String() }));

/** Nothing is sent before something is asked. */
export function createKubernetesClient(options: KubernetesClientOptions): KubernetesClient {
  const server = new ApiServer(options);
  const nodes = createNodesApi(server);
  return {
    displayName: server.displayName,
    nodes,
    pods: createPodsApi(server),
    secrets: createSecretsApi(server),
    configMaps: createConfigMapsApi(server),
    certificateRequests: createCertificateRequestsApi(server),
    version: async () =>
      readVersion(
        (await server.request({ method: 'GET', path: '/version', action: 'report its version' })).body,
      ).gitVersion,
    hasPermission: permission => checkPermission(server, permission),
    watchNodes: (onChange, signal) => watchNodes(server, nodes, onChange, signal),
  };
}
