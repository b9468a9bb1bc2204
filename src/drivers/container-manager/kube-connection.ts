import Type from 'typebox';
import { Secret } from '../../domain/secret.ts';
import type { KubernetesClientOptions } from '../../integrations/kubernetes/api-server.ts';
import type { KubernetesClient, Permission } from '../../integrations/kubernetes/kubernetes-client.ts';
import { describePermission } from '../../integrations/kubernetes/kubernetes-client.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { ConnectionCheck } from '../command-plan.ts';
import {
  bearerTokenOption,
  CERTIFICATE_NEEDS_KEY,
  textOption,
  tlsFileOptions,
  toTlsFiles,
  urlOption,
} from '../option-schemas.ts';
import type { ContainerManagerContext } from './container-manager.ts';

/** How the API is reached that the options of a record describe. */
export function kubeConnectionOptions(
  { options, connections, mayProceed }: ContainerManagerContext,
  tokenOption = 'token',
): KubernetesClientOptions {
  const token = textOption(options[tokenOption]);
  return {
    url: textOption(options['server_url']) ?? '',
    token: token === undefined ? undefined : new Secret(token),
    tokenOption,
    files: toTlsFiles(options),
    connections,
    mayProceed,
  };
}

/** Options to connect to a Kubernetes API. */
export const kubeOptions = Type.Object(
  {
    server_url: urlOption('URL of the API server.'),
    token: Type.Optional(bearerTokenOption('Bearer token. Alternatively, use a client certificate.')),
    ...tlsFileOptions,
    join: Type.Optional(
      Type.Boolean({
        description:
          'Whether Hostler joins hosts to the cluster. If `false`, it adopts existing nodes. Default `true`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    ...CERTIFICATE_NEEDS_KEY,
  },
);

/** What it takes to look after nodes that others have made. */
const BASE_PERMISSIONS: readonly Permission[] = [
  { verb: 'list', resource: 'nodes' },
  { verb: 'get', resource: 'nodes' },
  { verb: 'patch', resource: 'nodes' },
  { verb: 'list', resource: 'pods' },
  { verb: 'create', resource: 'pods', subresource: 'eviction' },
];

/** What it takes to let nodes go that were made from here. */
export const DELETE_NODE_PERMISSIONS: readonly Permission[] = [{ verb: 'delete', resource: 'nodes' }];

/** Whether the API answers and lets us do what we have to; `more` is what the driver needs beside that. */
export async function checkKubeConnection(
  api: KubernetesClient,
  additional: readonly Permission[] = [],
): Promise<ConnectionCheck> {
  const version = await api.version();
  const permissions = await Promise.all(
    [...BASE_PERMISSIONS, ...additional].map(async permission => ({
      right: permission,
      isAllowed: await api.hasPermission(permission),
    })),
  );
  const missing = permissions
    .filter(({ isAllowed }) => !isAllowed)
    .map(({ right: permission }) => describePermission(permission));
  const problems =
    missing.length === 0 ? [] : [`${api.displayName} denies permission to ${missing.join(', ')}`];
  return { version: sanitizeLine(version), problems };
}
