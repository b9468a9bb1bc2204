// Finds the node of a host by its address, because a host can choose any name. The last node name per address is
// cached, so that one node is read instead of all.

import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-record.ts';
import type { KubernetesClient } from '../../integrations/kubernetes/kubernetes-client.ts';
import type { KubeNode } from '../../integrations/kubernetes/nodes.ts';
import { formatNodeNames } from '../../integrations/kubernetes/nodes.ts';
import { setIfChanged } from './container-manager.ts';

const cacheKey = (address: Address) => `node ${address}`;
/** A uid contains no space. */
const cacheValue = ({ uid, name }: KubeNode) => `${uid} ${name}`;

export function createKubeNodeFinder(
  { displayName, nodes }: Pick<KubernetesClient, 'displayName' | 'nodes'>,
  memory: DriverMemory,
) {
  const invalidate = (address: Address) => memory.delete(cacheKey(address));

  /** `all` must be the complete list of nodes. */
  async function selectByAddress(address: Address, all: readonly KubeNode[]): Promise<KubeNode | undefined> {
    const matches = all.filter(({ addresses }) => addresses.includes(address));
    if (matches.length > 1)
      throw new Error(
        `${matches.length} nodes of ${displayName} have the address ${address}: ${formatNodeNames(matches)}; delete the nodes that no longer exist`,
      );
    const [node] = matches;
    if (node !== undefined) await setIfChanged(memory, cacheKey(address), cacheValue(node));
    else if ((await memory.get(cacheKey(address))) !== undefined) await invalidate(address);
    return node;
  }

  /** Reads all nodes, so it also detects two nodes with the same address. */
  const findInAllNodes = async (address: Address) => selectByAddress(address, (await nodes.list()).items);

  /** Reads one node if the cached name is current. */
  async function find(address: Address): Promise<KubeNode | undefined> {
    const cached = await memory.get(cacheKey(address));
    if (cached === undefined) return findInAllNodes(address);
    const node = await nodes.get(cached.slice(cached.indexOf(' ') + 1));
    const isCurrent = node !== undefined && cacheValue(node) === cached && node.addresses.includes(address);
    return isCurrent ? node : findInAllNodes(address);
  }

  async function findOrThrow(address: Address): Promise<KubeNode> {
    const node = await find(address);
    if (node === undefined) throw new Error(`${address} is not a node of ${displayName}`);
    return node;
  }

  return { find, findOrThrow, findInAllNodes, selectByAddress, invalidate };
}

export type KubeNodeFinder = ReturnType<typeof createKubeNodeFinder>;
