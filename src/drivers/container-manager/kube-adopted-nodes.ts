// Nodes that others have made, and that are only looked after here while their hosts are in a cluster. What must hold: a node that was
// not adopted is not touched; one whose host leaves is given back as it was.

import type { KubernetesApi } from '../../clients/kubernetes/kubernetes-api.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-memory.ts';
import { kubeGiveBack } from './kube-give-back.ts';
import type { KubeNodes } from './kube-nodes.ts';
import { remember } from './remember.ts';

/** joining: its first certificate was approved from here, and the second is still to come. */
type Adoption = 'joining' | 'adopted';

const keyOf = (address: Address) => `adopted ${address}`;

/** Which nodes are looked after here: what tells them apart is only remembered. */
export class AdoptedNodes {
  readonly #memory: DriverMemory;

  constructor(memory: DriverMemory) {
    this.#memory = memory;
  }

  async is(address: Address, adoption: Adoption): Promise<boolean> {
    return (await this.#memory.get(keyOf(address))) === adoption;
  }

  async note(address: Address, adoption: Adoption): Promise<void> {
    await remember(this.#memory, keyOf(address), adoption);
  }

  async forget(address: Address): Promise<void> {
    await this.#memory.delete(keyOf(address));
  }
}

/** The same calls, for adopted nodes only. */
export function adoptedOnly(
  api: KubernetesApi,
  { finder, ...nodes }: KubeNodes,
  adopted: AdoptedNodes,
): Omit<KubeNodes, 'finder'> {
  const isOurs = (address: Address) => adopted.is(address, 'adopted');
  const own = async (address: Address): Promise<Address> => {
    if (await isOurs(address)) return address;
    throw new Error(`${address} is not a node of ${api.name} that Hostler manages`);
  };
  return {
    async remove(address) {
      if (await isOurs(address)) await kubeGiveBack(api, finder, address);
      await adopted.forget(address);
    },
    report: async address => ((await isOurs(address)) ? nodes.report(address) : { state: 'unknown' }),
    cordon: async (address, mark) => nodes.cordon(await own(address), mark),
    uncordon: async (address, mark) => ((await isOurs(address)) ? nodes.uncordon(address, mark) : 'not_ours'),
    drain: async (address, how) => nodes.drain(await own(address), how),
    disruptionProblem: async address => nodes.disruptionProblem(await own(address)),
    controlPlane: nodes.controlPlane,
  };
}
