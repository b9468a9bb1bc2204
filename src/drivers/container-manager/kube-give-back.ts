import type { KubernetesApi } from '../../clients/kubernetes/kubernetes-api.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { isOurMark } from '../../domain/rolling/cordon-mark.ts';
import { CORDON_ANNOTATION, kubeUncordon } from './kube-cordon.ts';
import type { KubeNodeFinder } from './kube-node-finder.ts';

/** Leaves a node that others have made to them: nothing of ours stays on it. */
export async function kubeGiveBack(
  api: Pick<KubernetesApi, 'name' | 'nodes'>,
  finder: KubeNodeFinder,
  address: Address,
): Promise<void> {
  const mark = (await finder.find(address))?.annotations[CORDON_ANNOTATION];
  if (mark !== undefined && isOurMark(mark)) await kubeUncordon(api, finder, address, mark);
  await finder.forget(address);
}
