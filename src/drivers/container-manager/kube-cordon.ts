// Makes nodes unschedulable under our mark, and schedulable again. What must hold: mark and cordon are changed in one write, which the
// server refuses if the node has changed since it was read; then it is read and decided again.
//
// Who uncordons a node by hand leaves our mark on it, and a later cordon of others would look like ours. So the server is asked who has
// written the cordon; and such a mark is taken away wherever it is met.

import type { KubeNode } from '../../clients/kubernetes/kube-node.ts';
import { FIELD_MANAGER } from '../../clients/kubernetes/kube-node.ts';
import type { KubernetesApi } from '../../clients/kubernetes/kubernetes-api.ts';
import type { NodePatch } from '../../clients/kubernetes/nodes-api.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { CordonMark } from '../../domain/rolling/cordon-mark.ts';
import { isOurMark } from '../../domain/rolling/cordon-mark.ts';
import type { KubeNodeFinder } from './kube-node-finder.ts';

/** On a node that is unschedulable: whose doing that is. */
export const CORDON_ANNOTATION = 'hostler/cordoned-by';

/** Kubelets change their nodes every few seconds; to be slower than they so often takes more than bad luck. */
const MOST_TRIES = 5;

/** What a node calls for: an answer at once, or a write and then an answer. */
interface Decision<Answer> {
  readonly answer: Answer;
  readonly patch?: NodePatch;
}

type Writer = Pick<KubernetesApi, 'name' | 'nodes'>;

async function writeIfUnchanged<Found extends KubeNode | undefined, Answer>(
  api: Writer,
  address: Address,
  read: () => Promise<Found>,
  decide: (node: Found) => Decision<Answer>,
): Promise<Answer> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const node = await read();
    const { answer, patch } = decide(node);
    if (patch === undefined || node === undefined) return answer;
    if ((await api.nodes.patch(node, patch)) === 'patched') return answer;
  }
  throw new Error(
    `the node of ${address} could not be updated at ${api.name}: other clients keep changing it`,
  );
}

const annotationOf = ({ annotations }: KubeNode): string => annotations[CORDON_ANNOTATION] ?? '';

/** Whether a mark of ours is left from a cordon that others have undone. */
function hasStaleMark(node: KubeNode): boolean {
  const { isUnschedulable, cordonManagers } = node;
  const isWrittenByOthers = cordonManagers.length > 0 && !cordonManagers.includes(FIELD_MANAGER);
  return isOurMark(annotationOf(node)) && (!isUnschedulable || isWrittenByOthers);
}

/** The mark of who has cordoned a node, empty when there is none; `undefined` when nobody has. */
export function kubeCordonedBy(node: KubeNode): string | undefined {
  if (!node.isUnschedulable) return undefined;
  return hasStaleMark(node) ? '' : annotationOf(node);
}

/** Takes a mark away that stands for nothing, and nothing else. */
const tidied = (node: KubeNode): { readonly patch?: NodePatch } =>
  hasStaleMark(node) ? { patch: { annotations: { [CORDON_ANNOTATION]: null } } } : {};

export const kubeCordon = (
  api: Writer,
  finder: KubeNodeFinder,
  address: Address,
  mark: CordonMark,
): Promise<'cordoned' | 'foreign'> =>
  writeIfUnchanged(
    api,
    address,
    () => finder.findOrThrow(address),
    node => {
      const before = kubeCordonedBy(node);
      if (before === mark) return { answer: 'cordoned' };
      if (before !== undefined && !isOurMark(before)) return { answer: 'foreign', ...tidied(node) };
      const patch = { annotations: { [CORDON_ANNOTATION]: mark }, unschedulable: true } as const;
      return { answer: 'cordoned', patch };
    },
  );

export const kubeUncordon = (
  api: Writer,
  finder: KubeNodeFinder,
  address: Address,
  mark: CordonMark,
): Promise<'uncordoned' | 'not_ours'> =>
  writeIfUnchanged(
    api,
    address,
    () => finder.find(address),
    node => {
      if (node === undefined) return { answer: 'not_ours' };
      if (kubeCordonedBy(node) !== mark)
        return { answer: node.isUnschedulable ? 'not_ours' : 'uncordoned', ...tidied(node) };
      const patch = { annotations: { [CORDON_ANNOTATION]: null }, unschedulable: null } as const;
      return { answer: 'uncordoned', patch };
    },
  );
