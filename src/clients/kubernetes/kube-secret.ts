import type { Static } from 'typebox';
import Type from 'typebox';
import { Secret } from '../../domain/secret.ts';

const texts = Type.Record(Type.String(), Type.String());

/** Of a Secret of the API, what is looked at here. */
export const secretSchema = Type.Object({
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

const decoded = (base64: string) => new Secret(Buffer.from(base64, 'base64').toString('utf8'));

export const kubeSecretOf = ({
  metadata,
  type = '',
  data = {},
}: Static<typeof secretSchema>): KubeSecret => ({
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
  type,
  annotations: metadata.annotations ?? {},
  data: Object.fromEntries(Object.entries(data).map(([key, base64]) => [key, decoded(base64)])),
});
