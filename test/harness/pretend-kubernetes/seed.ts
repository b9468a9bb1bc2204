import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import { timeText } from './objects.ts';
import { ensureNamespace } from './pods.ts';
import { CONFIG_MAPS } from './resources.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const kubeconfigOf = (url: string, ca: string) => `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${Buffer.from(ca).toString('base64')}
    server: ${url}
  name: ""
contexts: null
current-context: ""
kind: Config
preferences: {}
users: null
`;

/** What a cluster that kubeadm has made has from the start. */
export function seed(cluster: Cluster, url: string, ca: string): void {
  for (const name of NAMESPACES) ensureNamespace(cluster, name);
  cluster.store.write(CONFIG_MAPS, {
    metadata: {
      name: 'cluster-info',
      namespace: 'kube-public',
      uid: randomUUID(),
      resourceVersion: '',
      creationTimestamp: timeText(cluster.clock.now()),
    },
    data: { kubeconfig: kubeconfigOf(url, ca) },
  });
}
