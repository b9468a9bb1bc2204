import type { CordonOwner } from '../../../domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../../domain/rollout/operation-host.ts';
import type { SwarmNode, SwarmNodeSpec, SwarmTask } from '../../../integrations/docker/docker-schemas.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { listSome } from '../../../lib/text.ts';
import type { DrainReport } from '../container-manager.ts';
import { isDown, nodeName } from './swarm-node.ts';

export const OWNER_LABEL = 'hostler.cordoned-by';
/** `true` on a node that others have paused and that Hostler drains. */
export const PAUSED_BY_OTHERS_LABEL = 'hostler.paused-by-others';

// A cordon is the availability `pause` with the owner in a label, written together in one conditional update. A node
// that is not active and has no Hostler owner was cordoned by others.

export const isActive = ({ Spec }: SwarmNode): boolean => (Spec.Availability ?? 'active') === 'active';

/** Returns the owner of the cordon, empty if it has none; `undefined` if the node is active. */
export const getCordonOwner = (node: SwarmNode): string | undefined =>
  isActive(node) ? undefined : (node.Spec.Labels?.[OWNER_LABEL] ?? '');

export const isCordonedByHostler = (node: SwarmNode): boolean => isHostlerOwner(getCordonOwner(node) ?? '');

/** Returns a copy of the spec with this availability and these labels; `undefined` removes a label. */
export function withAvailability(
  { Spec }: SwarmNode,
  availability: 'active' | 'pause' | 'drain',
  labels: Readonly<Record<string, string | undefined>>,
): SwarmNodeSpec {
  const all = Object.entries({ ...Spec.Labels, ...labels });
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Spec, Availability: availability, Labels: Object.fromEntries(kept) };
}

export interface NodeUpdate<Result> {
  readonly spec?: SwarmNodeSpec;
  readonly result: Result;
}

export function cordonUpdate(node: SwarmNode, owner: CordonOwner): NodeUpdate<'cordoned' | 'cordoned_by_other'> {
  const currentOwner = getCordonOwner(node);
  if (currentOwner === owner) return { result: 'cordoned' };
  if (currentOwner !== undefined && !isHostlerOwner(currentOwner)) return { result: 'cordoned_by_other' };
  // A node that is being drained for an earlier attempt stays drained.
  const availability = node.Spec.Availability === 'drain' ? 'drain' : 'pause';
  const labels = { [OWNER_LABEL]: owner, [PAUSED_BY_OTHERS_LABEL]: undefined };
  return { spec: withAvailability(node, availability, labels), result: 'cordoned' };
}

const ownerLabel = ({ Spec }: SwarmNode): string => Spec.Labels?.[OWNER_LABEL] ?? '';

export function releaseUpdate(node: SwarmNode): NodeUpdate<undefined> {
  if (!isHostlerOwner(ownerLabel(node))) return { result: undefined };
  return { spec: withAvailability(node, 'active', { [OWNER_LABEL]: undefined }), result: undefined };
}

/** An owner label remains after others have set the node to active; a later cordon would look like ours. */
export const hasStaleOwner = (node: SwarmNode): boolean => isActive(node) && isHostlerOwner(ownerLabel(node));

export function uncordonUpdate(node: SwarmNode, owner: CordonOwner): NodeUpdate<'uncordoned' | 'not_owner'> {
  if (ownerLabel(node) === owner || hasStaleOwner(node))
    return { spec: withAvailability(node, 'active', { [OWNER_LABEL]: undefined }), result: 'uncordoned' };
  return { result: isActive(node) ? 'uncordoned' : 'not_owner' };
}

// A drain is the availability `drain`: the swarm starts the tasks on other nodes and stops them on this node, including
// those of global services. Tasks cannot refuse, so `force` has no effect.
//
// A node that others have paused still runs its tasks. It is set to `drain` with a label, and back to `pause` when no
// tasks remain, so it is never active in between. If the drain does not complete, the label stays and the next drain
// pass continues, also one of another operation.

const ENDED_STATES = new Set(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned']);
const UNWANTED_STATES = new Set(['shutdown', 'remove']);

/** A node that is down reports no ended tasks, so its tasks with the desired state `shutdown` or `remove` count. */
export function remainingTasks(node: SwarmNode, tasks: readonly SwarmTask[]): readonly SwarmTask[] {
  const hasEnded = ({ DesiredState = '', Status }: SwarmTask) =>
    ENDED_STATES.has(Status?.State ?? '') || (isDown(node) && UNWANTED_STATES.has(DesiredState));
  return tasks.filter(task => !hasEnded(task));
}

export function drainUpdate(node: SwarmNode): NodeUpdate<SwarmNode> {
  const mustChange = isCordonedByHostler(node) && node.Spec.Availability !== 'drain';
  return { ...(mustChange && { spec: withAvailability(node, 'drain', {}) }), result: node };
}

/** Update after the tasks are listed, for a node that others have cordoned. */
export function cordonedByOtherUpdate(node: SwarmNode, hasTasks: boolean): NodeUpdate<undefined> {
  const { Availability, Labels } = node.Spec;
  if (isActive(node) || isCordonedByHostler(node)) return { result: undefined };
  if (hasTasks && Availability === 'pause')
    return { spec: withAvailability(node, 'drain', { [PAUSED_BY_OTHERS_LABEL]: 'true' }), result: undefined };
  if (!hasTasks && Availability === 'drain' && Labels?.[PAUSED_BY_OTHERS_LABEL] !== undefined)
    return {
      spec: withAvailability(node, 'pause', { [PAUSED_BY_OTHERS_LABEL]: undefined }),
      result: undefined,
    };
  return { result: undefined };
}

/** An active node can receive new tasks at any time. */
export const checkDrainable = (node: SwarmNode): DrainReport | undefined =>
  isActive(node)
    ? {
        state: 'refused',
        detail: `the node ${nodeName(node)} of the swarm was set to active by someone else`,
      }
    : undefined;

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
