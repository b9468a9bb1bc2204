import type { Static } from 'typebox';
import Type from 'typebox';
import { bearerTokenOption, CERTIFICATE_NEEDS_KEY, tlsFileOptions, urlOption } from '../../option-schemas.ts';

export const k3sOptions = Type.Object(
  {
    server_url: urlOption('URL of the k3s server.'),
    token: Type.Optional(
      bearerTokenOption(
        'Join token for agents in the secure form, from `/var/lib/rancher/k3s/server/node-token` on the server.',
      ),
    ),
    api_token: Type.Optional(
      bearerTokenOption('Token of a service account for the Kubernetes API. Alternatively, use a client certificate.'),
    ),
    ...tlsFileOptions,
    binary_url: Type.Optional(
      urlOption(
        'URL from which a host without k3s downloads the binary. Requires `binary_sha256`. Default: k3s must be installed.',
        { mayHaveQuery: true },
      ),
    ),
    binary_sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        rule: 'must be 64 lowercase hexadecimal digits',
        description: 'SHA-256 of the downloaded binary. Requires `binary_url`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    dependentRequired: {
      ...CERTIFICATE_NEEDS_KEY.dependentRequired,
      binary_url: ['binary_sha256'],
      binary_sha256: ['binary_url'],
    },
  },
);

export type K3sOptions = Static<typeof k3sOptions>;

/** Starts with the SHA-256 of the CA certificate. Without it, an agent would trust any server and send it the token. */
const SECURE_TOKEN_FORMAT = /^K10[0-9a-f]{64}::(?:[!-9;-~]+:[!-~]+|[a-z0-9]{6}\.[a-z0-9]{16})$/;

const TOKEN_LOCATION = 'copy it from /var/lib/rancher/k3s/server/node-token on the server';
const HTTPS_REQUIRED = 'server_url must start with https: k3s supports only HTTPS';
const CREDENTIALS_REQUIRED =
  'there are no credentials for the Kubernetes API: set the token of a service account in `api_token`, or a client certificate; the join token does not give access to the API';

export const checkApiOptions = ({ server_url, api_token, certificate_path }: K3sOptions): readonly string[] => [
  ...(server_url.startsWith('https:') ? [] : [HTTPS_REQUIRED]),
  ...(api_token || certificate_path ? [] : [CREDENTIALS_REQUIRED]),
];

export function checkJoinOptions({ token }: K3sOptions): readonly string[] {
  if (!token) return [`\`token\`, the join token for agents, is missing: ${TOKEN_LOCATION}`];
  if (SECURE_TOKEN_FORMAT.test(token)) return [];
  return [`\`token\` is not in the secure form (K10…::…:…), which agents need to verify the server: ${TOKEN_LOCATION}`];
}
