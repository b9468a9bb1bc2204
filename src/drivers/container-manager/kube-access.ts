import type { KubernetesAccess } from '../../clients/kubernetes/api-server.ts';
import { Secret } from '../../domain/secret.ts';
import { textOf, tlsFilesOf } from '../option-fields.ts';
import type { ContainerManagerRecord } from './container-manager.ts';

/** How the API is reached that the options of a record describe. */
export function kubeAccess(
  { options, connections, mayProceed }: ContainerManagerRecord,
  tokenOption = 'token',
): KubernetesAccess {
  const token = textOf(options[tokenOption]);
  return {
    url: textOf(options['server_url']) ?? '',
    token: token === undefined ? undefined : new Secret(token),
    tokenOption,
    files: tlsFilesOf(options),
    connections,
    mayProceed,
  };
}
