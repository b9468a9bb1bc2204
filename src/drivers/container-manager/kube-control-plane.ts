import type { KubeNode } from '../../clients/kubernetes/kube-node.ts';
import { isReadyNode, nodeNames } from '../../clients/kubernetes/kube-node.ts';
import type { KubernetesApi } from '../../clients/kubernetes/kubernetes-api.ts';
import type { Address } from '../../domain/addresses/address.ts';

/** The second is what it was called before Kubernetes 1.20. */
const LABELS = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** With fewer there is no majority that could be kept. */
const FEWEST_WITH_MAJORITY = 3;

export const isControlPlane = ({ labels }: KubeNode): boolean =>
  LABELS.some(label => labels[label] !== undefined);

/** By name. */
async function controlPlaneNodes({ nodes }: Pick<KubernetesApi, 'nodes'>): Promise<readonly KubeNode[]> {
  const lists = await Promise.all(LABELS.map(label => nodes.list(label)));
  const byName = new Map(lists.flatMap(({ items }) => items.map(node => [node.name, node])));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** With every address that they have: a host may be known by any of them. */
export async function kubeControlPlane(api: Pick<KubernetesApi, 'nodes'>): Promise<readonly Address[]> {
  return (await controlPlaneNodes(api)).flatMap(({ addresses }) => addresses);
}

/** A control plane keeps its word by majority: those that stay must be one. */
export async function kubeDisruptionProblem(
  api: Pick<KubernetesApi, 'nodes'>,
  node: KubeNode,
): Promise<string | undefined> {
  if (!isControlPlane(node)) return undefined;
  const all = await controlPlaneNodes(api);
  if (all.length < FEWEST_WITH_MAJORITY) return undefined;
  const others = all.filter(({ uid }) => uid !== node.uid);
  const majority = Math.floor(all.length / 2) + 1;
  if (others.filter(isReadyNode).length >= majority) return undefined;
  const missing = nodeNames(others.filter(other => !isReadyNode(other)));
  return `the control plane would lose its majority: of its ${all.length} nodes, these are not ready: ${missing}`;
}
