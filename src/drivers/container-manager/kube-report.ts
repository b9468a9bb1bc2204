import type { KubeNode } from '../../clients/kubernetes/kube-node.ts';
import { isReadyNode } from '../../clients/kubernetes/kube-node.ts';
import { KubernetesRefusal } from '../../clients/kubernetes/kubernetes-refusal.ts';
import { ServerFailure } from '../../clients/server-failure.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { kubeCordonedBy } from './kube-cordon.ts';
import type { KubeNodeFinder } from './kube-node-finder.ts';
import type { NodeReport } from './node-report.ts';

function kubeReportOf(node: KubeNode): NodeReport {
  const cordonedBy = kubeCordonedBy(node);
  return {
    state: 'registered',
    name: node.name,
    ready: isReadyNode(node),
    schedulable: !node.isUnschedulable,
    ...(node.bootId !== undefined && { bootId: node.bootId }),
    ...(cordonedBy !== undefined && { cordonedBy }),
  };
}

/** A server that does not answer, or not us, is reported too. */
export async function kubeReport(finder: KubeNodeFinder, address: Address): Promise<NodeReport> {
  try {
    const node = await finder.find(address);
    return node === undefined ? { state: 'unknown' } : kubeReportOf(node);
  } catch (error) {
    if (error instanceof ServerFailure || error instanceof KubernetesRefusal)
      return { state: 'unavailable', reason: error.message };
    throw error;
  }
}
