import type { Static } from 'typebox';
import Type from 'typebox';
import { Secret } from '../../domain/secret.ts';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';
import { listPath, objectPath } from './api-server.ts';

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

const decodeSecret = (base64: string) => new Secret(Buffer.from(base64, 'base64').toString('utf8'));

export type KubeSecret = Readonly<ReturnType<typeof toKubeSecret>>;

const toKubeSecret = ({ metadata, type = '', data = {} }: Static<typeof secretSchema>) => ({
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
  get(namespace: string, name: string) {
    const path = objectPath('secrets', { namespace, name });
    return server.get(path, `read secrets in ${namespace}`, body => toKubeSecret(readSecret(body)));
  },
  /** `exists`: a secret of that name exists and is unchanged. */
  async create({ namespace, name, type, annotations, data }: Omit<KubeSecret, 'uid'>) {
    const plaintext = Object.entries(data).map(([key, secret]) => [key, secret.reveal()]);
    const { status } = await server.request({
      method: 'POST',
      path: listPath('secrets', namespace),
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
  delete: (secret: Pick<KubeSecret, 'namespace' | 'name'> & { readonly uid?: string }) =>
    server.delete(objectPath('secrets', secret), `delete secrets in ${secret.namespace}`, secret.uid),
});
