// Owner annotation and cordon change in one conditional write. If an administrator uncordons a node, the annotation
// stays, and a later cordon by others would look like a Hostler cordon. Hostler therefore compares the field manager of
// the cordon, and removes stale annotations.

import type { Address } from '../../domain/addresses/address.ts';
import type { CordonOwner } from '../../domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import type { KubernetesClient } from '../../integrations/kubernetes/kubernetes-client.ts';
import type { KubeNode, NodePatch } from '../../integrations/kubernetes/nodes.ts';
import { FIELD_MANAGER } from '../../integrations/kubernetes/nodes.ts';
import type { ContainerManager } from './container-manager.ts';
import { isCordonedByOther } from './container-manager.ts';
import type { KubeNodeFinder } from './kube-node-finder.ts';

export const CORDON_ANNOTATION = 'hostler/cordoned-by';

/** Kubelets update their nodes every few seconds, so more conflicts than this are not a coincidence. */
const MAX_CONFLICT_RETRIES = 5;

const ownerAnnotation = ({ annotations }: KubeNode): string => annotations[CORDON_ANNOTATION] ?? '';

/** Whether the annotation remains from a Hostler cordon that others have removed. */
function hasStaleOwner(node: KubeNode): boolean {
  const { isUnschedulable, cordonFieldManagers } = node;
  const isWrittenByOthers = cordonFieldManagers.length > 0 && !cordonFieldManagers.includes(FIELD_MANAGER);
  return isHostlerOwner(ownerAnnotation(node)) && (!isUnschedulable || isWrittenByOthers);
}

/** Returns the owner of the cordon, empty if it has none; `undefined` if the node is not cordoned. */
export function getCordonOwner(node: KubeNode): string | undefined {
  if (!node.isUnschedulable) return undefined;
  return hasStaleOwner(node) ? '' : ownerAnnotation(node);
}

const staleOwnerPatch = (node: KubeNode): NodePatch | undefined =>
  hasStaleOwner(node) ? { annotations: { [CORDON_ANNOTATION]: null } } : undefined;

function cordonPatch(node: KubeNode, owner: CordonOwner): NodePatch | undefined {
  const currentOwner = getCordonOwner(node);
  if (currentOwner === owner) return undefined;
  if (isCordonedByOther(currentOwner)) return staleOwnerPatch(node);
  return { annotations: { [CORDON_ANNOTATION]: owner }, unschedulable: true };
}

export function createKubeCordons(
  api: Pick<KubernetesClient, 'displayName' | 'nodes'>,
  finder: KubeNodeFinder,
): Pick<ContainerManager, 'cordon' | 'uncordon'> {
  /** Returns the node as it was before the change. */
  async function patchNode<Node extends KubeNode | undefined>(
    address: Address,
    read: () => Promise<Node>,
    toPatch: (node: Node) => NodePatch | undefined,
  ): Promise<Node> {
    for (let attempt = 0; attempt < MAX_CONFLICT_RETRIES; attempt += 1) {
      const node = await read();
      const patch = toPatch(node);
      if (!node || patch === undefined || (await api.nodes.patch(node, patch)) === 'patched') return node;
    }
    throw new Error(
      `the node of ${address} could not be updated at ${api.displayName}: other clients keep changing it`,
    );
  }
  return {
    async cordon(address, owner) {
      const read = () => finder.findOrThrow(address);
      const node = await patchNode(address, read, current => cordonPatch(current, owner));
      return isCordonedByOther(getCordonOwner(node)) ? 'cordoned_by_other' : 'cordoned';
    },
    async uncordon(address, owner) {
      const isOwned = (node: KubeNode) => getCordonOwner(node) === owner;
      const node = await patchNode(
        address,
        () => finder.find(address),
        current => {
          if (current === undefined || !isOwned(current)) return current && staleOwnerPatch(current);
          return { annotations: { [CORDON_ANNOTATION]: null }, unschedulable: null };
        },
      );
      return node !== undefined && (isOwned(node) || !node.isUnschedulable) ? 'uncordoned' : 'not_owner';
    },
  };
}
