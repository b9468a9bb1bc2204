// What the container managers share that serve the Kubernetes API: how nodes are found, reported, taken out of service and removed.
// How a host becomes a node is each one's own.

import type { KubernetesApi } from '../../clients/kubernetes/kubernetes-api.ts';
import type { DriverMemory } from '../../domain/driver-memory.ts';
import type { ContainerManager } from './container-manager.ts';
import { isControlPlane, kubeControlPlane, kubeDisruptionProblem } from './kube-control-plane.ts';
import { kubeCordon, kubeUncordon } from './kube-cordon.ts';
import { kubeDrain } from './kube-drain.ts';
import { kubeGiveBack } from './kube-give-back.ts';
import { KubeNodeFinder } from './kube-node-finder.ts';
import { kubeReport } from './kube-report.ts';

type Shared = 'remove' | 'report' | 'cordon' | 'uncordon' | 'drain' | 'disruptionProblem' | 'controlPlane';

/** The finder is for what else a driver does with nodes. */
export type KubeNodes = Pick<ContainerManager, Shared> & { readonly finder: KubeNodeFinder };

export function kubeNodes(api: KubernetesApi, memory: DriverMemory): KubeNodes {
  const finder = new KubeNodeFinder(api, memory);
  return {
    finder,
    async remove(address) {
      const node = await finder.findAmongAll(address);
      if (node === undefined) return;
      // Without its node, a part of the control plane could be lost to the cluster; people take it apart, not we.
      if (isControlPlane(node)) return kubeGiveBack(api, finder, address);
      await api.nodes.delete(node);
      await finder.forget(address);
    },
    report: address => kubeReport(finder, address),
    cordon: (address, mark) => kubeCordon(api, finder, address, mark),
    uncordon: (address, mark) => kubeUncordon(api, finder, address, mark),
    drain: async (address, how) => kubeDrain(api.pods, (await finder.findOrThrow(address)).name, how),
    disruptionProblem: async address => kubeDisruptionProblem(api, await finder.findOrThrow(address)),
    controlPlane: () => kubeControlPlane(api),
  };
}
