// Reads the ConfigMap cluster-info in kube-public, which kubeadm publishes for joining hosts.

import { createHash, X509Certificate } from 'node:crypto';
import Type from 'typebox';
import { parse } from 'yaml';
import { schemaParser } from '../../../integrations/http/schema-parser.ts';
import type { KubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { tryOr } from '../../../lib/errors.ts';

export interface ClusterInfo {
  /** URL of the API server, as nodes reach it. */
  readonly serverUrl: string;
  readonly endpoint: string;
  /** SHA-256 of the public keys of the CAs. */
  readonly caCertHashes: readonly string[];
}

const parseKubeconfig = schemaParser(
  'the kubeconfig in cluster-info',
  Type.Object({
    clusters: Type.Array(
      Type.Object({
        cluster: Type.Object({
          server: Type.String({ pattern: '^https://', rule: 'must be an https URL' }),
          'certificate-authority-data': Type.String(),
        }),
      }),
      { minItems: 1 },
    ),
  }),
);

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Format of `kubeadm join --discovery-token-ca-cert-hash`. */
function publicKeyHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** Typical length: 2,000 to 3,000. Parsing a long text would block the event loop. */
const MAX_KUBECONFIG_LENGTH = 65_536;

const YAML_OPTIONS = {
  // The check compares each key with all others.
  uniqueKeys: false,
  // The parser would print warnings that quote the text.
  logLevel: 'error',
} as const;

/** Returns `undefined` for invalid YAML; parser errors could quote secrets. */
const parseYaml = (yaml: string): unknown =>
  yaml.length > MAX_KUBECONFIG_LENGTH ? undefined : tryOr(undefined, () => parse(yaml, YAML_OPTIONS));

export function parseClusterInfo(kubeconfig: string): ClusterInfo {
  const [first] = parseKubeconfig(parseYaml(kubeconfig)).clusters;
  const { server = '', 'certificate-authority-data': caData = '' } = first?.cluster ?? {};
  const { hostname, port } = new URL(server);
  const pems = Buffer.from(caData, 'base64').toString('utf8').match(PEM_CERTIFICATE) ?? [];
  if (pems.length === 0) throw new Error('cluster-info contains no CA certificate');
  return {
    serverUrl: server,
    endpoint: `${hostname}:${port || 443}`,
    caCertHashes: pems.map(publicKeyHash),
  };
}

export async function readClusterInfo(
  api: Pick<KubernetesClient, 'displayName' | 'getConfigMap'>,
): Promise<ClusterInfo> {
  const kubeconfig = (await api.getConfigMap('kube-public', 'cluster-info'))?.['kubeconfig'];
  if (kubeconfig === undefined)
    throw new Error(
      `${api.displayName} has no cluster-info in kube-public (kubeadm creates it), so hosts cannot join; create it, or set join to false`,
    );
  return parseClusterInfo(kubeconfig);
}
