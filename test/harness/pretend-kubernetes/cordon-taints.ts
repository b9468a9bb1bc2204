import type { Cluster } from './cluster.ts';
import type { KubeObject } from './objects.ts';
import { at, fieldsAt, listAt, textAt, timeText } from './objects.ts';
import { NODES } from './resources.ts';
import { tidy } from './tidy.ts';

const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

const isTaint = (taint: Parameters<typeof textAt>[0]) => textAt(taint, 'key') === UNSCHEDULABLE;

/** The controller that taints nodes that are cordoned. Whoever cordons one finds another version of it soon after. */
export function taintCordoned({ store, clock, settings }: Cluster): void {
  const settle = (node: KubeObject) => {
    const taints = listAt(node, 'spec', 'taints');
    const isCordoned = at(node, 'spec', 'unschedulable') === true;
    if (isCordoned === taints.some(isTaint)) return;
    const added = { key: UNSCHEDULABLE, effect: 'NoSchedule', timeAdded: timeText(clock.now()) };
    const others = taints.filter(taint => !isTaint(taint));
    const spec = { ...fieldsAt(node, 'spec'), taints: isCordoned ? [...others, added] : others };
    store.write(NODES, tidy({ ...node, spec }));
  };
  store.onChange(({ resource, after }) => {
    if (resource !== NODES || after === undefined || !settings.taintsCordoned) return;
    const latest = store.get(NODES, '', after.metadata.name);
    if (latest !== undefined) settle(latest);
  });
}
