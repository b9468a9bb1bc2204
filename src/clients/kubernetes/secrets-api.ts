import { reading } from '../reading.ts';
import type { ApiServer } from './api-server.ts';
import type { KubeSecret } from './kube-secret.ts';
import { kubeSecretOf, secretSchema } from './kube-secret.ts';
import { secretPath, secretsPath } from './paths.ts';

const readSecret = reading('a secret of the API', secretSchema);

export interface SecretsApi {
  get(namespace: string, name: string): Promise<KubeSecret | undefined>;
  /** `exists`: one of that name is there already, and stays as it is. */
  create(secret: Omit<KubeSecret, 'uid'>): Promise<'created' | 'exists'>;
  /** Deletes this very secret, or without `uid` whichever has the name. */
  delete(secret: Pick<KubeSecret, 'namespace' | 'name'> & { readonly uid?: string }): Promise<void>;
}

export const secretsApi = (server: ApiServer): SecretsApi => ({
  async get(namespace, name) {
    const { status, body } = await server.ask({
      method: 'GET',
      path: secretPath({ namespace, name }),
      what: `read secrets in ${namespace}`,
      expects: [404],
    });
    return status === 404 ? undefined : kubeSecretOf(readSecret(body));
  },
  async create({ namespace, name, type, annotations, data }) {
    const inClear = Object.entries(data).map(([key, secret]) => [key, secret.reveal()]);
    const { status } = await server.ask({
      method: 'POST',
      path: secretsPath(namespace),
      body: {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { name, namespace, annotations },
        type,
        stringData: Object.fromEntries(inClear),
      },
      what: `create secrets in ${namespace}`,
      expects: [409],
    });
    return status === 409 ? 'exists' : 'created';
  },
  async delete({ namespace, name, uid }) {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await server.ask({
      method: 'DELETE',
      path: secretPath({ namespace, name }),
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...preconditions },
      what: `delete secrets in ${namespace}`,
      expects: [404, 409],
    });
  },
});
