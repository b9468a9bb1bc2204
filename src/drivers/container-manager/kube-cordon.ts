// Cordons and uncordons nodes. Owner annotation and cordon change in one write, which the API server rejects if the
// node has changed since it was read; the change is then retried.
//
// If an administrator uncordons a node, the annotation stays, and a later cordon by others would look like a Hostler
// cordon. Hostler therefore compares the field manager of the cordon, and removes stale annotations.

import type { Address } from '../../domain/addresses/address.ts';
import type { CordonOwner } from '../../domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import type { KubernetesClient } from '../../integrations/kubernetes/kubernetes-client.ts';
import type { KubeNode, NodePatch } from '../../integrations/kubernetes/nodes.ts';
import { FIELD_MANAGER } from '../../integrations/kubernetes/nodes.ts';
import type { KubeNodeFinder } from './kube-node-finder.ts';

export const CORDON_ANNOTATION = 'hostler/cordoned-by';

/** Kubelets update their nodes every few seconds, so more conflicts than this are not a coincidence. */
const MAX_CONFLICT_RETRIES = 5;

interface NodeDecision<Result> {
  readonly result: Result;
  readonly patch?: NodePatch;
}

type NodeWriter = Pick<KubernetesClient, 'displayName' | 'nodes'>;

async function patchWithRetry<Node extends KubeNode | undefined, Result>(
  api: NodeWriter,
  address: Address,
  read: () => Promise<Node>,
  decide: (node: Node) => NodeDecision<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < MAX_CONFLICT_RETRIES; attempt += 1) {
    const node = await read();
    const { result, patch } = decide(node);
    if (patch === undefined || node === undefined) return result;
    if ((await api.nodes.patch(node, patch)) === 'patched') return result;
  }
  throw new Error(`the node of ${address} could not be updated at ${api.displayName}: other clients keep changing it`);
}

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

const removeStaleOwner = (node: KubeNode): { readonly patch?: NodePatch } =>
  hasStaleOwner(node) ? { patch: { annotations: { [CORDON_ANNOTATION]: null } } } : {};

export const kubeCordon = (
  api: NodeWriter,
  finder: KubeNodeFinder,
  address: Address,
  owner: CordonOwner,
): Promise<'cordoned' | 'cordoned_by_other'> =>
  patchWithRetry(
    api,
    address,
    () => finder.findOrThrow(address),
    node => {
      const currentOwner = getCordonOwner(node);
      if (currentOwner === owner) return { result: 'cordoned' };
      if (currentOwner !== undefined && !isHostlerOwner(currentOwner))
        return { result: 'cordoned_by_other', ...removeStaleOwner(node) };
      const patch = { annotations: { [CORDON_ANNOTATION]: owner }, unschedulable: true } as const;
      return { result: 'cordoned', patch };
    },
  );

export const kubeUncordon = (
  api: NodeWriter,
  finder: KubeNodeFinder,
  address: Address,
  owner: CordonOwner,
): Promise<'uncordoned' | 'not_owner'> =>
  patchWithRetry(
    api,
    address,
    () => finder.find(address),
    node => {
      if (node === undefined) return { result: 'not_owner' };
      if (getCordonOwner(node) !== owner)
        return { result: node.isUnschedulable ? 'not_owner' : 'uncordoned', ...removeStaleOwner(node) };
      const patch = { annotations: { [CORDON_ANNOTATION]: null }, unschedulable: null } as const;
      return { result: 'uncordoned', patch };
    },
  );
