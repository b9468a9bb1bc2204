import { Secret } from '../../../domain/secret.ts';
import type { ContainerManagerRecord } from '../container-manager.ts';

/** The options of a record, as far as they are about more than reaching the API. */
export interface K3sSettings {
  /** Of the record. */
  readonly name: string;
  readonly serverUrl: string;
  /** Agents join by it. */
  readonly token: Secret | undefined;
  /** Whether there is something to show to the API. */
  readonly hasCredential: boolean;
  readonly download: { readonly url: string; readonly sha256: string } | undefined;
}

export function k3sSettings({
  name,
  options,
}: Pick<ContainerManagerRecord, 'name' | 'options'>): K3sSettings {
  const textOf = (option: string): string => {
    const value = options[option];
    return typeof value === 'string' ? value : '';
  };
  const [token, url, sha256] = [textOf('token'), textOf('binary_url'), textOf('binary_sha256')];
  return {
    name,
    serverUrl: textOf('server_url'),
    token: token === '' ? undefined : new Secret(token),
    hasCredential: textOf('api_token') !== '' || textOf('certificate_path') !== '',
    download: url === '' ? undefined : { url, sha256 },
  };
}

/**
 * The digest of the server's authority, then a user with a password, or a token of `k3s token create`. Without the digest an agent
 * would trust, and tell its token, whoever answers.
 */
const SECURE_TOKEN = /^K10[0-9a-f]{64}::(?:[!-9;-~]+:[!-~]+|[a-z0-9]{6}\.[a-z0-9]{16})$/;

const WHERE = 'copy it from /var/lib/rancher/k3s/server/node-token on the server';

/** What keeps the API from being asked. */
export const askProblems = ({ serverUrl, hasCredential }: K3sSettings): readonly string[] => [
  ...(serverUrl.startsWith('https:') ? [] : ['server_url must start with https: k3s supports only HTTPS']),
  ...(hasCredential
    ? []
    : [
        'there are no credentials for the Kubernetes API: set the token of a service account in `api_token`, or a client certificate; the join token does not give access to the API',
      ]),
];

/** What keeps hosts from joining. */
export function joinProblems({ token }: K3sSettings): readonly string[] {
  if (token === undefined) return [`\`token\`, the join token for agents, is missing: ${WHERE}`];
  if (SECURE_TOKEN.test(token.reveal())) return [];
  return [
    `\`token\` is not in the secure form (K10…::…:…), which agents need to verify the server: ${WHERE}`,
  ];
}
