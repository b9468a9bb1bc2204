import Type from 'typebox';
import { bearerToken, certificateWithKey, tlsFiles, url } from '../option-fields.ts';

/** Options to connect to a Kubernetes API. */
export const kubeOptions = Type.Object(
  {
    server_url: url('URL of the API server.'),
    token: Type.Optional(bearerToken('Bearer token. Alternatively, use a client certificate.')),
    ...tlsFiles,
    join: Type.Optional(
      Type.Boolean({
        description:
          'Whether Hostler joins hosts to the cluster. If `false`, it adopts existing nodes. Default `true`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    ...certificateWithKey,
  },
);
