import type { KubernetesAccess } from '../../clients/kubernetes/api-server.ts';
import { Secret } from '../../domain/secret.ts';
import type { ContainerManagerRecord } from './container-manager.ts';

const textOf = (options: ContainerManagerRecord['options'], name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** How the API is reached that the options of a record describe. */
export function kubeAccess({ options, connections, mayProceed }: ContainerManagerRecord): KubernetesAccess {
  const token = textOf(options, 'token');
  return {
    url: textOf(options, 'server_url') ?? '',
    token: token === undefined ? undefined : new Secret(token),
    files: {
      caPath: textOf(options, 'ca_path'),
      certificatePath: textOf(options, 'certificate_path'),
      certificateKeyPath: textOf(options, 'certificate_key_path'),
    },
    connections,
    mayProceed,
  };
}
