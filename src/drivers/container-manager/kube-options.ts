import Type from 'typebox';
import { bearerToken, certificateWithKey, tlsFiles, url } from '../option-fields.ts';

/** What it takes to talk to a Kubernetes API, whoever serves it. */
export const kubeOptions = Type.Object(
  {
    server_url: url('The URL of the API server.'),
    token: Type.Optional(bearerToken('A bearer token; or a client certificate instead.')),
    ...tlsFiles,
    join: Type.Optional(
      Type.Boolean({
        description: 'Whether hosts are joined from here, or are nodes already. Default: they are joined.',
      }),
    ),
  },
  {
    additionalProperties: false,
    ...certificateWithKey,
  },
);
