import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-record.ts';
import { isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import { RemoteServerError } from '../../integrations/http/remote-error.ts';
import type { KubernetesClient } from '../../integrations/kubernetes/kubernetes-client.ts';
import type { KubeNode } from '../../integrations/kubernetes/nodes.ts';
import { formatNodeNames, isReadyNode } from '../../integrations/kubernetes/nodes.ts';
import type { ContainerManager, NodeReport } from './container-manager.ts';
import { keepsQuorum } from './container-manager.ts';
import { CORDON_ANNOTATION, createKubeCordons, getCordonOwner } from './kube-cordon.ts';
import { kubeDrain } from './kube-drain.ts';
import type { KubeNodeFinder } from './kube-node-finder.ts';
import { createKubeNodeFinder } from './kube-node-finder.ts';

/** The second label was used before Kubernetes 1.20. */
const CONTROL_PLANE_LABELS = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

export const isControlPlane = ({ labels }: KubeNode): boolean =>
  CONTROL_PLANE_LABELS.some(label => labels[label] !== undefined);

async function listControlPlaneNodes({ nodes }: Pick<KubernetesClient, 'nodes'>): Promise<readonly KubeNode[]> {
  const lists = await Promise.all(CONTROL_PLANE_LABELS.map(label => nodes.list(label)));
  const byName = new Map(lists.flatMap(({ items }) => items.map(node => [node.name, node])));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function checkKubeDisruption(api: Pick<KubernetesClient, 'nodes'>, node: KubeNode): Promise<string | undefined> {
  if (!isControlPlane(node)) return undefined;
  const all = await listControlPlaneNodes(api);
  const others = all.filter(({ uid }) => uid !== node.uid);
  if (keepsQuorum(all.length, others.filter(isReadyNode).length)) return undefined;
  const notReady = formatNodeNames(others.filter(other => !isReadyNode(other)));
  return `the control plane would lose its majority: of its ${all.length} nodes, these are not ready: ${notReady}`;
}

/** An unavailable API server or a rejected request becomes the state `unavailable`. */
async function readNodeReport(finder: KubeNodeFinder, address: Address): Promise<NodeReport> {
  try {
    const node = await finder.find(address);
    if (node === undefined) return { state: 'unknown' };
    const cordonedBy = getCordonOwner(node);
    return {
      state: 'registered',
      name: node.name,
      ready: isReadyNode(node),
      schedulable: !node.isUnschedulable,
      ...(node.bootId !== undefined && { bootId: node.bootId }),
      ...(cordonedBy !== undefined && { cordonedBy }),
    };
  } catch (error) {
    if (error instanceof RemoteServerError) return { state: 'unavailable', reason: error.message };
    throw error;
  }
}

type SharedMethod = 'remove' | 'report' | 'cordon' | 'uncordon' | 'drain' | 'checkDisruption' | 'controlPlane';

export interface KubeNodes extends Pick<ContainerManager, SharedMethod> {
  readonly finder: KubeNodeFinder;
  /** Removes the cordon and annotation of Hostler from a node that Hostler did not create. */
  release(address: Address): Promise<void>;
}

/** Operations shared by all container managers with a Kubernetes API. Each driver adds its own way to join hosts. */
export function createKubeNodes(api: KubernetesClient, memory: DriverMemory): KubeNodes {
  const finder = createKubeNodeFinder(api, memory);
  const cordons = createKubeCordons(api, finder);
  async function release(address: Address): Promise<void> {
    const owner = (await finder.find(address))?.annotations[CORDON_ANNOTATION];
    if (owner !== undefined && isHostlerOwner(owner)) await cordons.uncordon(address, owner);
    await finder.invalidate(address);
  }
  return {
    finder,
    release,
    async remove(address) {
      const node = await finder.findInAllNodes(address);
      if (node === undefined) return;
      // Deleting the node could break the control plane, so only an administrator removes it.
      if (isControlPlane(node)) return release(address);
      await api.nodes.delete(node);
      await finder.invalidate(address);
    },
    report: address => readNodeReport(finder, address),
    ...cordons,
    drain: async (address, options) => kubeDrain(api.pods, (await finder.findOrThrow(address)).name, options),
    checkDisruption: async address => checkKubeDisruption(api, await finder.findOrThrow(address)),
    // All addresses of each node, because a host can be registered with any of them.
    controlPlane: async () => (await listControlPlaneNodes(api)).flatMap(({ addresses }) => addresses),
  };
}
