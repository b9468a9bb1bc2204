import type { CordonOwner } from '../../../domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../../domain/rollout/operation-host.ts';
import type { SwarmNode, SwarmNodeSpec, SwarmTask } from '../../../integrations/docker/docker-schemas.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { listSome } from '../../../lib/text.ts';
import type { DrainReport } from '../container-manager.ts';
import { isCordonedByOther } from '../container-manager.ts';
import { isDown, nodeName } from './swarm-node.ts';

const OWNER_LABEL = 'hostler.cordoned-by';
/** `true` on a node that others have paused and that Hostler drains. */
const PAUSED_BY_OTHERS_LABEL = 'hostler.paused-by-others';

// A cordon is the availability `pause` with the owner in a label, written together in one conditional update. A node
// that is not active and has no Hostler owner was cordoned by others.

export const isActive = ({ Spec }: SwarmNode): boolean => (Spec.Availability ?? 'active') === 'active';

/** Returns the owner of the cordon, empty if it has none; `undefined` if the node is active. */
export const getCordonOwner = (node: SwarmNode): string | undefined =>
  isActive(node) ? undefined : (node.Spec.Labels?.[OWNER_LABEL] ?? '');

export const isCordonedByHostler = (node: SwarmNode): boolean => isHostlerOwner(getCordonOwner(node) ?? '');

/** Returns a copy of the spec with this availability and these labels; `undefined` removes a label. */
function withAvailability(
  { Spec }: SwarmNode,
  availability: 'active' | 'pause' | 'drain',
  labels: Readonly<Record<string, string | undefined>>,
): SwarmNodeSpec {
  const all = Object.entries({ ...Spec.Labels, ...labels });
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Spec, Availability: availability, Labels: Object.fromEntries(kept) };
}

export function cordonSpec(node: SwarmNode, owner: CordonOwner): SwarmNodeSpec | undefined {
  const currentOwner = getCordonOwner(node);
  if (currentOwner === owner || isCordonedByOther(currentOwner)) return undefined;
  // A node that is being drained for an earlier attempt stays drained.
  const availability = node.Spec.Availability === 'drain' ? 'drain' : 'pause';
  return withAvailability(node, availability, { [OWNER_LABEL]: owner, [PAUSED_BY_OTHERS_LABEL]: undefined });
}

const ownerLabel = ({ Spec }: SwarmNode): string => Spec.Labels?.[OWNER_LABEL] ?? '';

const activeSpec = (node: SwarmNode): SwarmNodeSpec => withAvailability(node, 'active', { [OWNER_LABEL]: undefined });

export const releaseSpec = (node: SwarmNode): SwarmNodeSpec | undefined =>
  isHostlerOwner(ownerLabel(node)) ? activeSpec(node) : undefined;

/** An owner label remains after others have set the node to active; a later cordon would look like ours. */
export const staleOwnerSpec = (node: SwarmNode): SwarmNodeSpec | undefined =>
  isActive(node) ? releaseSpec(node) : undefined;

export const uncordonSpec = (node: SwarmNode, owner: CordonOwner): SwarmNodeSpec | undefined =>
  ownerLabel(node) === owner ? activeSpec(node) : staleOwnerSpec(node);

// A drain is the availability `drain`: the swarm starts the tasks on other nodes and stops them on this node, including
// those of global services. Tasks cannot refuse, so `force` has no effect.
//
// A node that others have paused still runs its tasks. It is set to `drain` with a label, and back to `pause` when no
// tasks remain, so it is never active in between. The next drain pass, also of another operation, continues.

const ENDED_STATES = new Set(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned']);
const UNWANTED_STATES = new Set(['shutdown', 'remove']);

/** A node that is down reports no ended tasks, so its tasks with the desired state `shutdown` or `remove` count. */
export function remainingTasks(node: SwarmNode, tasks: readonly SwarmTask[]): readonly SwarmTask[] {
  const hasEnded = ({ DesiredState = '', Status }: SwarmTask) =>
    ENDED_STATES.has(Status?.State ?? '') || (isDown(node) && UNWANTED_STATES.has(DesiredState));
  return tasks.filter(task => !hasEnded(task));
}

export const drainSpec = (node: SwarmNode): SwarmNodeSpec | undefined =>
  isCordonedByHostler(node) && node.Spec.Availability !== 'drain' ? withAvailability(node, 'drain', {}) : undefined;

/** Change after the tasks are listed, for a node that others have cordoned. */
export function cordonedByOtherSpec(node: SwarmNode, hasTasks: boolean): SwarmNodeSpec | undefined {
  const { Availability, Labels } = node.Spec;
  if (isActive(node) || isCordonedByHostler(node)) return undefined;
  if (hasTasks && Availability === 'pause')
    return withAvailability(node, 'drain', { [PAUSED_BY_OTHERS_LABEL]: 'true' });
  if (!hasTasks && Availability === 'drain' && Labels?.[PAUSED_BY_OTHERS_LABEL] !== undefined)
    return withAvailability(node, 'pause', { [PAUSED_BY_OTHERS_LABEL]: undefined });
  return undefined;
}

const MAX_LISTED_TASKS = 5;

export function toDrainReport(node: SwarmNode, remaining: readonly SwarmTask[]): DrainReport {
  if (remaining.length === 0) return { state: 'drained' };
  const describeTask = ({ ID, Status }: SwarmTask) => sanitizeLine(`${ID} (${Status?.State ?? 'unknown'})`);
  const listed = listSome(remaining.map(describeTask), MAX_LISTED_TASKS);
  return {
    state: 'draining',
    remaining: remaining.length,
    detail: `${listed}; see docker node ps ${nodeName(node)}`,
  };
}
