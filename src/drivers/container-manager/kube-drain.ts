// Without `force`, disruption budgets are respected. A node is drained when the pods that must leave are gone, not when
// their eviction was accepted.

import type { EvictionResult, KubePod, PodsApi } from '../../integrations/kubernetes/pods.ts';
import { formatPodName } from '../../integrations/kubernetes/pods.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { listSome } from '../../lib/text.ts';
import type { DrainReport } from './container-manager.ts';

const MAX_CONCURRENT_EVICTIONS = 8;
const MAX_LISTED_PODS = 5;

/** Static pods and DaemonSet pods return to the same node; finished pods need no eviction. */
const mustEvict = ({ isMirror, isFinished, controllerKind }: KubePod): boolean =>
  !isMirror && !isFinished && controllerKind !== 'DaemonSet';

interface EvictionAttempt {
  readonly pod: KubePod;
  readonly eviction: EvictionResult;
}

const listPodNames = (pods: readonly KubePod[]) => listSome(pods.map(formatPodName), MAX_LISTED_PODS);

const evictionMessages = (attempts: readonly EvictionAttempt[], state: 'blocked' | 'failed'): string =>
  listSome(
    attempts.flatMap(({ pod, eviction }) =>
      eviction.state === state ? [`${formatPodName(pod)} (${eviction.detail})`] : [],
    ),
    MAX_LISTED_PODS,
  );

const isBlocked = ({ eviction: { state } }: EvictionAttempt) => state === 'blocked' || state === 'failed';

export async function kubeDrain(
  api: PodsApi,
  nodeName: string,
  { force }: { readonly force: boolean },
): Promise<DrainReport> {
  const remaining = (await api.listOnNode(nodeName)).filter(mustEvict);
  if (remaining.length === 0) return { state: 'drained' };
  const evictable = remaining.filter(({ isTerminating }) => !isTerminating);
  const unmanagedPods = evictable.filter(({ controllerKind }) => controllerKind === undefined);
  if (unmanagedPods.length > 0 && !force)
    return {
      state: 'refused',
      detail: `pods without a controller would not be recreated: ${listPodNames(unmanagedPods)}`,
    };
  const semaphore = new Semaphore(MAX_CONCURRENT_EVICTIONS, evictable.length);
  const evict = async (pod: KubePod) => ({ pod, eviction: await api.evict(pod) });
  const attempts = await Promise.all(evictable.map(pod => semaphore.run(() => evict(pod))));
  if (force) {
    await Promise.all(attempts.filter(isBlocked).map(({ pod }) => semaphore.run(() => api.delete(pod))));
    return { state: 'draining', remaining: remaining.length, detail: listPodNames(remaining) };
  }
  const failed = evictionMessages(attempts, 'failed');
  if (failed !== '') return { state: 'refused', detail: failed };
  return {
    state: 'draining',
    remaining: remaining.length,
    detail: evictionMessages(attempts, 'blocked') || listPodNames(remaining),
  };
}
