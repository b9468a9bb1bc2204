// One pass of a drain: every pod that has to go is asked to. What must hold: budgets are respected unless it is forced; a node is
// drained when those pods are gone, not when they were asked.

import type { Eviction } from '../../clients/kubernetes/eviction.ts';
import type { KubePod } from '../../clients/kubernetes/kube-pod.ts';
import { podName } from '../../clients/kubernetes/kube-pod.ts';
import type { PodsApi } from '../../clients/kubernetes/pods-api.ts';
import { someOf } from '../../lib/text/some-of.ts';
import { Semaphore } from '../../lib/turns/semaphore.ts';
import type { DrainReport } from './node-report.ts';

const AT_ONCE = 8;
const MOST_NAMED = 5;

/** Not those that the host runs by itself, that come back to the same node, or that have ended. */
const mustGo = ({ isMirror, isFinished, controllerKind }: KubePod): boolean =>
  !isMirror && !isFinished && controllerKind !== 'DaemonSet';

interface Asked {
  readonly pod: KubePod;
  readonly eviction: Eviction;
}

const namesOf = (pods: readonly KubePod[]) => someOf(pods.map(podName), MOST_NAMED);

/** What those say that were asked in vain. */
const saidBy = (asked: readonly Asked[], state: 'blocked' | 'failed'): string =>
  someOf(
    asked.flatMap(({ pod, eviction }) =>
      eviction.state === state ? [`${podName(pod)} (${eviction.detail})`] : [],
    ),
    MOST_NAMED,
  );

async function askAll(api: PodsApi, pods: readonly KubePod[]): Promise<readonly Asked[]> {
  const places = new Semaphore(AT_ONCE, pods.length);
  return Promise.all(pods.map(pod => places.run(async () => ({ pod, eviction: await api.evict(pod) }))));
}

const isHeldUp = ({ eviction: { state } }: Asked) => state === 'blocked' || state === 'failed';

export async function kubeDrain(
  api: PodsApi,
  nodeName: string,
  { force }: { readonly force: boolean },
): Promise<DrainReport> {
  const there = (await api.ofNode(nodeName)).filter(mustGo);
  if (there.length === 0) return { state: 'drained' };
  const staying = there.filter(({ isTerminating }) => !isTerminating);
  const forlorn = staying.filter(({ controllerKind }) => controllerKind === undefined);
  if (forlorn.length > 0 && !force)
    return {
      state: 'refused',
      detail: `pods without a controller would not be recreated: ${namesOf(forlorn)}`,
    };
  const asked = await askAll(api, staying);
  if (force) {
    const places = new Semaphore(AT_ONCE, asked.length);
    await Promise.all(asked.filter(isHeldUp).map(({ pod }) => places.run(() => api.delete(pod))));
    return { state: 'draining', left: there.length, detail: namesOf(there) };
  }
  const failed = saidBy(asked, 'failed');
  if (failed !== '') return { state: 'refused', detail: failed };
  return { state: 'draining', left: there.length, detail: saidBy(asked, 'blocked') || namesOf(there) };
}
