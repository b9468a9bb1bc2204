// Manages nodes that Hostler did not create. It changes only adopted nodes, and restores them when their host leaves.

import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-record.ts';
import type { KubernetesClient } from '../../integrations/kubernetes/kubernetes-client.ts';
import { setIfChanged } from './container-manager.ts';
import type { KubeNodes } from './kube-nodes.ts';
import { releaseNode } from './kube-nodes.ts';

/** `joining`: the client certificate is approved, the serving certificate is not requested yet. */
type AdoptionState = 'joining' | 'adopted';

const adoptionKey = (address: Address) => `adopted ${address}`;

export class AdoptedNodes {
  readonly #memory: DriverMemory;

  constructor(memory: DriverMemory) {
    this.#memory = memory;
  }

  async hasState(address: Address, state: AdoptionState): Promise<boolean> {
    return (await this.#memory.get(adoptionKey(address))) === state;
  }

  async setState(address: Address, state: AdoptionState): Promise<void> {
    await setIfChanged(this.#memory, adoptionKey(address), state);
  }

  async delete(address: Address): Promise<void> {
    await this.#memory.delete(adoptionKey(address));
  }
}

export function restrictToAdopted(
  api: KubernetesClient,
  { finder, ...nodes }: KubeNodes,
  adopted: AdoptedNodes,
): Omit<KubeNodes, 'finder'> {
  const isAdopted = (address: Address) => adopted.hasState(address, 'adopted');
  const assertAdopted = async (address: Address): Promise<Address> => {
    if (await isAdopted(address)) return address;
    throw new Error(`${address} is not a node of ${api.displayName} that Hostler manages`);
  };
  return {
    async remove(address) {
      if (await isAdopted(address)) await releaseNode(api, finder, address);
      await adopted.delete(address);
    },
    report: async address => ((await isAdopted(address)) ? nodes.report(address) : { state: 'unknown' }),
    cordon: async (address, owner) => nodes.cordon(await assertAdopted(address), owner),
    uncordon: async (address, owner) => ((await isAdopted(address)) ? nodes.uncordon(address, owner) : 'not_owner'),
    drain: async (address, options) => nodes.drain(await assertAdopted(address), options),
    checkDisruption: async address => nodes.checkDisruption(await assertAdopted(address)),
    controlPlane: nodes.controlPlane,
  };
}
