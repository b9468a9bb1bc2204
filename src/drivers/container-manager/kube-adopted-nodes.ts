// Manages nodes that Hostler did not create. It changes only adopted nodes, and restores them when their host leaves.

import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-record.ts';
import type { KubernetesClient } from '../../integrations/kubernetes/kubernetes-client.ts';
import type { ContainerManager } from './container-manager.ts';
import { setIfChanged } from './container-manager.ts';
import { createKubeNodes } from './kube-nodes.ts';

/** `joining`: the client certificate is approved, the serving certificate is not requested yet. */
type AdoptionState = 'joining' | 'adopted';

const adoptionKey = (address: Address) => `adopted ${address}`;

export function createAdoptedNodes(api: KubernetesClient, memory: DriverMemory) {
  const { finder, release, ...nodes } = createKubeNodes(api, memory);
  const hasState = async (address: Address, state: AdoptionState) => (await memory.get(adoptionKey(address))) === state;
  const assertAdopted = async (address: Address): Promise<Address> => {
    if (await hasState(address, 'adopted')) return address;
    throw new Error(`${address} is not a node of ${api.displayName} that Hostler manages`);
  };
  const methods: Pick<ContainerManager, keyof typeof nodes | 'joinPlan' | 'leavePlan'> = {
    joinPlan: async () => null,
    leavePlan: async () => null,
    async remove(address) {
      if (await hasState(address, 'adopted')) await release(address);
      await memory.delete(adoptionKey(address));
    },
    report: async address => ((await hasState(address, 'adopted')) ? nodes.report(address) : { state: 'unknown' }),
    cordon: async (address, owner) => nodes.cordon(await assertAdopted(address), owner),
    uncordon: async (address, owner) =>
      (await hasState(address, 'adopted')) ? nodes.uncordon(address, owner) : 'not_owner',
    drain: async (address, options) => nodes.drain(await assertAdopted(address), options),
    checkDisruption: async address => nodes.checkDisruption(await assertAdopted(address)),
    controlPlane: nodes.controlPlane,
  };
  return {
    methods,
    finder,
    hasState,
    setState: (address: Address, state: AdoptionState) => setIfChanged(memory, adoptionKey(address), state),
  };
}

export type AdoptedNodes = ReturnType<typeof createAdoptedNodes>;
