import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { runTool } from '../hosts/run-tool.ts';
import type { KubeApiserver } from './kube-apiserver.ts';

const API = 'kubeadm.k8s.io/v1beta2';

/** Does what `kubeadm init` does for nodes that are to join: cluster-info, and what a bootstrap token may do. Leaves no token. */
export async function prepareForJoins(server: KubeApiserver, kubeadm: string): Promise<void> {
  const { body } = await server.request('/version');
  const { gitVersion } = body as { gitVersion: string };
  const [id, secret] = [randomBytes(3).toString('hex'), randomBytes(8).toString('hex')];
  const documents = [
    {
      apiVersion: API,
      kind: 'InitConfiguration',
      // It refuses an address of the loopback, and does not use this one: where the server is stands in the kubeconfig.
      localAPIEndpoint: { advertiseAddress: '10.96.0.1' },
      bootstrapTokens: [{ token: `${id}.${secret}`, ttl: '1m0s' }],
      // Else it looks for the container runtime of this machine.
      nodeRegistration: { name: 'none', criSocket: '/run/none.sock' },
    },
    // Else it asks the makers of Kubernetes which version is the newest.
    { apiVersion: API, kind: 'ClusterConfiguration', kubernetesVersion: gitVersion },
  ];
  const config = `${server.kubeconfigPath}.init`;
  writeFileSync(config, documents.map(each => `---\n${JSON.stringify(each)}\n`).join(''), { mode: 0o600 });
  const phase = ['init', 'phase', 'bootstrap-token', '--skip-token-print'];
  await runTool([kubeadm, ...phase, `--config=${config}`, `--kubeconfig=${server.kubeconfigPath}`]);
  const token = `/api/v1/namespaces/kube-system/secrets/bootstrap-token-${id}`;
  const { status } = await server.request(token, { method: 'DELETE' });
  if (status !== 200) throw new Error(`the token of kubeadm could not be removed: ${status}`);
}
