// What kubeadm publishes of a cluster for those who want to join it: the configmap cluster-info in kube-public.

import { createHash, X509Certificate } from 'node:crypto';
import Type from 'typebox';
import { parse } from 'yaml';
import type { KubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { reading } from '../../../clients/reading.ts';

export interface ClusterInfo {
  /** The URL of the API, as nodes are to call it. */
  readonly serverUrl: string;
  /** The same as kubeadm wants it: host and port. */
  readonly endpoint: string;
  /** Of the public keys of the authorities, as kubeadm wants them. */
  readonly caCertHashes: readonly string[];
}

const readKubeconfig = reading(
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
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** SHA-256 of the public key in DER, as `kubeadm join --discovery-token-ca-cert-hash` takes it. */
function hashOf(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** It has two or three thousand; a long one would keep everybody waiting while it is parsed. */
const LONGEST = 65_536;

/** What is wrong with it is not quoted. */
function parsed(yaml: string): unknown {
  try {
    // The parser compares each key with every other.
    return yaml.length > LONGEST ? undefined : parse(yaml, { uniqueKeys: false });
  } catch {
    return undefined;
  }
}

export function clusterInfoOf(kubeconfig: string): ClusterInfo {
  const [first] = readKubeconfig(parsed(kubeconfig)).clusters;
  const { server = '', 'certificate-authority-data': authorities = '' } = first?.cluster ?? {};
  const { hostname, port } = new URL(server);
  const pems = Buffer.from(authorities, 'base64').toString('utf8').match(CERTIFICATE) ?? [];
  if (pems.length === 0) throw new Error('cluster-info contains no CA certificate');
  return {
    serverUrl: server,
    endpoint: `${hostname}:${port || HTTPS_PORT}`,
    caCertHashes: pems.map(hashOf),
  };
}

export async function readClusterInfo(api: Pick<KubernetesApi, 'name' | 'configMaps'>): Promise<ClusterInfo> {
  const kubeconfig = (await api.configMaps.get('kube-public', 'cluster-info'))?.['kubeconfig'];
  if (kubeconfig === undefined)
    throw new Error(
      `${api.name} has no cluster-info in kube-public (kubeadm creates it), so hosts cannot join; create it, or set join to false`,
    );
  return clusterInfoOf(kubeconfig);
}
