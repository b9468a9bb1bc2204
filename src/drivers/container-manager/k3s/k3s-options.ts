import { Secret } from '../../../domain/secret.ts';
import type { ContainerManagerContext } from '../container-manager.ts';

export interface K3sOptions {
  /** Name of the record. */
  readonly name: string;
  readonly serverUrl: string;
  /** Join token for agents. */
  readonly token: Secret | undefined;
  /** Whether the options contain credentials for the Kubernetes API. */
  readonly hasCredential: boolean;
  readonly download: { readonly url: string; readonly sha256: string } | undefined;
}

export function parseK3sOptions({ name, options }: Pick<ContainerManagerContext, 'name' | 'options'>): K3sOptions {
  const textValue = (option: string): string => {
    const value = options[option];
    return typeof value === 'string' ? value : '';
  };
  const [token, url, sha256] = [textValue('token'), textValue('binary_url'), textValue('binary_sha256')];
  return {
    name,
    serverUrl: textValue('server_url'),
    token: token === '' ? undefined : new Secret(token),
    hasCredential: textValue('api_token') !== '' || textValue('certificate_path') !== '',
    download: url === '' ? undefined : { url, sha256 },
  };
}

/**
 * SHA-256 of the CA certificate of the server, then a user and password or a token of `k3s token create`. Without the
 * hash, an agent would trust any server and send it the token.
 */
const SECURE_TOKEN_FORMAT = /^K10[0-9a-f]{64}::(?:[!-9;-~]+:[!-~]+|[a-z0-9]{6}\.[a-z0-9]{16})$/;

const TOKEN_LOCATION = 'copy it from /var/lib/rancher/k3s/server/node-token on the server';

/** Returns the problems that prevent API requests. */
export const checkApiOptions = ({ serverUrl, hasCredential }: K3sOptions): readonly string[] => [
  ...(serverUrl.startsWith('https:') ? [] : ['server_url must start with https: k3s supports only HTTPS']),
  ...(hasCredential
    ? []
    : [
        'there are no credentials for the Kubernetes API: set the token of a service account in `api_token`, or a client certificate; the join token does not give access to the API',
      ]),
];

/** Returns the problems that prevent hosts from joining. */
export function checkJoinOptions({ token }: K3sOptions): readonly string[] {
  if (token === undefined) return [`\`token\`, the join token for agents, is missing: ${TOKEN_LOCATION}`];
  if (SECURE_TOKEN_FORMAT.test(token.reveal())) return [];
  return [`\`token\` is not in the secure form (K10…::…:…), which agents need to verify the server: ${TOKEN_LOCATION}`];
}
