import type { Static } from 'typebox';
import Type from 'typebox';
import { Secret } from '../../domain/secret.ts';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';
import { secretPath, secretsPath } from './api-server.ts';

const texts = Type.Record(Type.String(), Type.String());

const secretSchema = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    namespace: Type.String(),
    uid: Type.String(),
    annotations: Type.Optional(texts),
  }),
  type: Type.Optional(Type.String()),
  data: Type.Optional(texts),
});

export interface KubeSecret {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, Secret>>;
}

const decodeSecret = (base64: string) => new Secret(Buffer.from(base64, 'base64').toString('utf8'));

const toKubeSecret = ({ metadata, type = '', data = {} }: Static<typeof secretSchema>): KubeSecret => ({
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
  type,
  annotations: metadata.annotations ?? {},
  data: Object.fromEntries(Object.entries(data).map(([key, base64]) => [key, decodeSecret(base64)])),
});

const readSecret = schemaParser('a secret of the API', secretSchema);

export type SecretsApi = ReturnType<typeof createSecretsApi>;

export const createSecretsApi = (server: ApiServer) => ({
  async get(namespace: string, name: string) {
    const { status, body } = await server.request({
      method: 'GET',
      path: secretPath({ namespace, name }),
      action: `read secrets in ${namespace}`,
      acceptedStatuses: [404],
    });
    return status === 404 ? undefined : toKubeSecret(readSecret(body));
  },
  /** `exists`: a secret of that name exists and is unchanged. */
  async create({ namespace, name, type, annotations, data }: Omit<KubeSecret, 'uid'>) {
    const plaintext = Object.entries(data).map(([key, secret]) => [key, secret.reveal()]);
    const { status } = await server.request({
      method: 'POST',
      path: secretsPath(namespace),
      body: {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { name, namespace, annotations },
        type,
        stringData: Object.fromEntries(plaintext),
      },
      action: `create secrets in ${namespace}`,
      acceptedStatuses: [409],
    });
    return status === 409 ? 'exists' : 'created';
  },
  /** With `uid`, deletes the secret only if its UID matches. */
  async delete({ namespace, name, uid }: Pick<KubeSecret, 'namespace' | 'name'> & { readonly uid?: string }) {
    await server.request({
      method: 'DELETE',
      path: secretPath({ namespace, name }),
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...(uid !== undefined && { preconditions: { uid } }) },
      action: `delete secrets in ${namespace}`,
      acceptedStatuses: [404, 409],
    });
  },
});
