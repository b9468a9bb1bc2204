// What kubeadm publishes of a cluster for those who want to join it: the configmap cluster-info in kube-public.

import { createHash, X509Certificate } from 'node:crypto';
import Type from 'typebox';
import { parse } from 'yaml';
import { schemaParser } from '../../../integrations/http/schema-parser.ts';
import type { KubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';

export interface ClusterInfo {
  /** The URL of the API, as nodes are to call it. */
  readonly serverUrl: string;
  /** The same as kubeadm wants it: host and port. */
  readonly endpoint: string;
  /** Of the public keys of the authorities, as kubeadm wants them. */
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

const HTTPS_PORT = '443';
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** SHA-256 of the public key in DER, as `kubeadm join --discovery-token-ca-cert-hash` takes it. */
function publicKeyHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** It has two or three thousand; a long one would keep everybody waiting while it is parsed. */
const MAX_KUBECONFIG_LENGTH = 65_536;

/** What is wrong with it is not quoted. */
function parseYaml(yaml: string): unknown {
  try {
    // The parser compares each key with every other.
    return yaml.length > MAX_KUBECONFIG_LENGTH ? undefined : parse(yaml, { uniqueKeys: false });
  } catch {
    return undefined;
  }
}

export function parseClusterInfo(kubeconfig: string): ClusterInfo {
  const [first] = parseKubeconfig(parseYaml(kubeconfig)).clusters;
  const { server = '', 'certificate-authority-data': caData = '' } = first?.cluster ?? {};
  const { hostname, port } = new URL(server);
  const pems = Buffer.from(caData, 'base64').toString('utf8').match(PEM_CERTIFICATE) ?? [];
  if (pems.length === 0) throw new Error('cluster-info contains no CA certificate');
  return {
    serverUrl: server,
    endpoint: `${hostname}:${port || HTTPS_PORT}`,
    caCertHashes: pems.map(publicKeyHash),
  };
}

export async function readClusterInfo(
  api: Pick<KubernetesClient, 'displayName' | 'configMaps'>,
): Promise<ClusterInfo> {
  const kubeconfig = (await api.configMaps.get('kube-public', 'cluster-info'))?.['kubeconfig'];
  if (kubeconfig === undefined)
    throw new Error(
      `${api.displayName} has no cluster-info in kube-public (kubeadm creates it), so hosts cannot join; create it, or set join to false`,
    );
  return parseClusterInfo(kubeconfig);
}
