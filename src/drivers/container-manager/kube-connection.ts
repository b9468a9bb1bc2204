import type { Static } from 'typebox';
import Type from 'typebox';
import { Secret } from '../../domain/secret.ts';
import type { KubernetesClientOptions } from '../../integrations/kubernetes/api-server.ts';
import type { KubernetesClient, Permission } from '../../integrations/kubernetes/kubernetes-client.ts';
import { describePermission } from '../../integrations/kubernetes/kubernetes-client.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { ConnectionCheck } from '../command-plan.ts';
import type { TlsFileOptions } from '../option-schemas.ts';
import { bearerTokenOption, tlsClientOptions, tlsFileOptions, toTlsFiles, urlOption } from '../option-schemas.ts';
import type { ContainerManagerContext } from './container-manager.ts';

interface KubeConnection extends TlsFileOptions {
  readonly server_url: string;
  readonly token?: string | undefined;
}

export const kubeConnectionOptions = ({
  options,
  connections,
  mayProceed,
}: ContainerManagerContext<KubeConnection>): KubernetesClientOptions => ({
  url: options.server_url,
  token: options.token === undefined ? undefined : new Secret(options.token),
  files: toTlsFiles(options),
  connections,
  mayProceed,
});

export const kubeOptions = tlsClientOptions({
  server_url: urlOption('URL of the API server.'),
  token: Type.Optional(bearerTokenOption('Bearer token. Alternatively, use a client certificate.')),
  ...tlsFileOptions,
  join: Type.Optional(
    Type.Boolean({
      description: 'Whether Hostler joins hosts to the cluster. If `false`, it adopts existing nodes. Default `true`.',
    }),
  ),
});

export type KubeOptions = Static<typeof kubeOptions>;

const BASE_PERMISSIONS: readonly Permission[] = [
  { verb: 'list', resource: 'nodes' },
  { verb: 'get', resource: 'nodes' },
  { verb: 'patch', resource: 'nodes' },
  { verb: 'list', resource: 'pods' },
  { verb: 'create', resource: 'pods', subresource: 'eviction' },
];

export const DELETE_NODE_PERMISSIONS: readonly Permission[] = [{ verb: 'delete', resource: 'nodes' }];

export async function checkKubeConnection(
  api: KubernetesClient,
  additional: readonly Permission[] = [],
): Promise<ConnectionCheck> {
  const version = await api.version();
  const permissions = [...BASE_PERMISSIONS, ...additional];
  const isAllowed = await Promise.all(permissions.map(permission => api.hasPermission(permission)));
  const missing = permissions.filter((_, index) => !isAllowed[index]).map(describePermission);
  const problems = missing.length === 0 ? [] : [`${api.displayName} denies permission to ${missing.join(', ')}`];
  return { version: sanitizeLine(version), problems };
}
