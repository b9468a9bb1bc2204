import type { KubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-memory.ts';

const NAMESPACE = 'kube-system';

const keyOf = (address: Address) => `password ${address}`;

/**
 * k3s keeps a password for each name of a node, and lets nobody come back under the name who has another. So it goes with the node.
 * Which name that was is remembered here: somebody else may have deleted the node.
 */
export class NodePasswords {
  readonly #api: Pick<KubernetesApi, 'nodes' | 'secrets'>;
  readonly #memory: DriverMemory;

  constructor(api: Pick<KubernetesApi, 'nodes' | 'secrets'>, memory: DriverMemory) {
    this.#api = api;
    this.#memory = memory;
  }

  async remember(address: Address, name: string): Promise<void> {
    const before = await this.#memory.get(keyOf(address));
    if (before === name) return;
    if (before !== undefined) await this.forget(address);
    await this.#memory.compareAndSet(keyOf(address), undefined, name);
  }

  async forget(address: Address): Promise<void> {
    const name = await this.#memory.get(keyOf(address));
    if (name === undefined) return;
    // A node that is being deleted is there for a while; one of another host has taken over the name, and its password is its own.
    const node = await this.#api.nodes.get(name);
    if (node === undefined || node.addresses.includes(address))
      await this.#api.secrets.delete({ namespace: NAMESPACE, name: `${name}.node-password.k3s` });
    await this.#memory.delete(keyOf(address));
  }
}
