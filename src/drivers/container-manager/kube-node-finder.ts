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

export class KubeNodeFinder {
  readonly #api: Pick<KubernetesClient, 'displayName' | 'nodes'>;
  readonly #memory: DriverMemory;

  constructor(api: Pick<KubernetesClient, 'displayName' | 'nodes'>, memory: DriverMemory) {
    this.#api = api;
    this.#memory = memory;
  }

  /** Reads one node if the cached name is current. */
  async find(address: Address): Promise<KubeNode | undefined> {
    const cached = await this.#memory.get(cacheKey(address));
    if (cached === undefined) return this.findInAllNodes(address);
    const node = await this.#api.nodes.get(cached.slice(cached.indexOf(' ') + 1));
    const isCurrent = node !== undefined && cacheValue(node) === cached && node.addresses.includes(address);
    return isCurrent ? node : this.findInAllNodes(address);
  }

  async findOrThrow(address: Address): Promise<KubeNode> {
    const node = await this.find(address);
    if (node === undefined) throw new Error(`${address} is not a node of ${this.#api.displayName}`);
    return node;
  }

  /** Reads all nodes, so it also detects two nodes with the same address. */
  async findInAllNodes(address: Address): Promise<KubeNode | undefined> {
    return this.selectByAddress(address, (await this.#api.nodes.list()).items);
  }

  /** `nodes` must be the complete list. */
  async selectByAddress(address: Address, nodes: readonly KubeNode[]): Promise<KubeNode | undefined> {
    const matches = nodes.filter(({ addresses }) => addresses.includes(address));
    if (matches.length > 1)
      throw new Error(
        `${matches.length} nodes of ${this.#api.displayName} have the address ${address}: ${formatNodeNames(matches)}; delete the nodes that no longer exist`,
      );
    const [node] = matches;
    await this.#cache(address, node);
    return node;
  }

  async invalidate(address: Address): Promise<void> {
    await this.#memory.delete(cacheKey(address));
  }

  async #cache(address: Address, node: KubeNode | undefined): Promise<void> {
    if (node !== undefined) return setIfChanged(this.#memory, cacheKey(address), cacheValue(node));
    if ((await this.#memory.get(cacheKey(address))) !== undefined) await this.invalidate(address);
  }
}
