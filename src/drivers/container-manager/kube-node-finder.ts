// Finds the node of a host by its address; names prove nothing, since any host may call itself anything. Which name an address had the
// last time is remembered: then one node is read and not all of them.

import type { KubeNode } from '../../clients/kubernetes/kube-node.ts';
import { nodeNames } from '../../clients/kubernetes/kube-node.ts';
import type { KubernetesApi } from '../../clients/kubernetes/kubernetes-api.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-memory.ts';
import { remember } from './remember.ts';

const hintKey = (address: Address) => `node ${address}`;
/** A uid has no space in it. */
const hintOf = ({ uid, name }: KubeNode) => `${uid} ${name}`;

export class KubeNodeFinder {
  readonly #api: Pick<KubernetesApi, 'name' | 'nodes'>;
  readonly #memory: DriverMemory;

  constructor(api: Pick<KubernetesApi, 'name' | 'nodes'>, memory: DriverMemory) {
    this.#api = api;
    this.#memory = memory;
  }

  /** One read in the normal case. */
  async find(address: Address): Promise<KubeNode | undefined> {
    const hint = await this.#memory.get(hintKey(address));
    if (hint === undefined) return this.findAmongAll(address);
    const node = await this.#api.nodes.get(hint.slice(hint.indexOf(' ') + 1));
    const isRight = node !== undefined && hintOf(node) === hint && node.addresses.includes(address);
    return isRight ? node : this.findAmongAll(address);
  }

  async findOrThrow(address: Address): Promise<KubeNode> {
    const node = await this.find(address);
    if (node === undefined) throw new Error(`${address} is not a node of ${this.#api.name}`);
    return node;
  }

  /** Looks at every node: also finds out that two claim the address. */
  async findAmongAll(address: Address): Promise<KubeNode | undefined> {
    return this.pick(address, (await this.#api.nodes.list()).items);
  }

  /** The same of nodes that are all there are. */
  async pick(address: Address, all: readonly KubeNode[]): Promise<KubeNode | undefined> {
    const claimants = all.filter(({ addresses }) => addresses.includes(address));
    if (claimants.length > 1)
      throw new Error(
        `${claimants.length} nodes of ${this.#api.name} have the address ${address}: ${nodeNames(claimants)}; delete the nodes that no longer exist`,
      );
    const [node] = claimants;
    await this.#remember(address, node);
    return node;
  }

  async forget(address: Address): Promise<void> {
    await this.#memory.delete(hintKey(address));
  }

  async #remember(address: Address, node: KubeNode | undefined): Promise<void> {
    if (node !== undefined) return remember(this.#memory, hintKey(address), hintOf(node));
    if ((await this.#memory.get(hintKey(address))) !== undefined) await this.forget(address);
  }
}
