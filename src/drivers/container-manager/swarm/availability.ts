import type { CordonOwner } from '../../../domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../../domain/rollout/operation-host.ts';
import type { SwarmNode, SwarmNodeSpec, SwarmTask } from '../../../integrations/docker/docker-schemas.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { listSome } from '../../../lib/text.ts';
import type { DrainReport } from '../container-manager.ts';
import { isDown, nodeName } from './swarm-node.ts';

/** On a node that we have cordoned: the mark. */
export const OWNER_LABEL = 'hostler.cordoned-by';
/** On a node that is drained by us and was paused by others: `true`. */
export const PAUSED_BY_OTHERS_LABEL = 'hostler.paused-by-others';

// A cordon is the availability `pause`, under our mark in a label. Both are written at once, and only if nobody has changed the node
// since it was looked at. What is not active and has no mark of ours is somebody else's.

export const isActive = ({ Spec }: SwarmNode): boolean => (Spec.Availability ?? 'active') === 'active';

/** The mark of who has cordoned it, empty when there is none; `undefined` when nobody has. */
export const getCordonOwner = (node: SwarmNode): string | undefined =>
  isActive(node) ? undefined : (node.Spec.Labels?.[OWNER_LABEL] ?? '');

export const isCordonedByHostler = (node: SwarmNode): boolean => isHostlerOwner(getCordonOwner(node) ?? '');

/** The spec of a node with another availability and some labels changed; `undefined`: without that one. */
export function withAvailability(
  { Spec }: SwarmNode,
  availability: 'active' | 'pause' | 'drain',
  labels: Readonly<Record<string, string | undefined>>,
): SwarmNodeSpec {
  const all = Object.entries({ ...Spec.Labels, ...labels });
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Spec, Availability: availability, Labels: Object.fromEntries(kept) };
}

/** What is to be written, if anything is, and what to answer when it is. */
export interface NodeUpdate<Result> {
  readonly spec?: SwarmNodeSpec;
  readonly result: Result;
}

export function cordonUpdate(
  node: SwarmNode,
  owner: CordonOwner,
): NodeUpdate<'cordoned' | 'cordoned_by_other'> {
  const currentOwner = getCordonOwner(node);
  if (currentOwner === owner) return { result: 'cordoned' };
  if (currentOwner !== undefined && !isHostlerOwner(currentOwner)) return { result: 'cordoned_by_other' };
  // One that is being drained for an earlier attempt stays so.
  const availability = node.Spec.Availability === 'drain' ? 'drain' : 'pause';
  const labels = { [OWNER_LABEL]: owner, [PAUSED_BY_OTHERS_LABEL]: undefined };
  return { spec: withAvailability(node, availability, labels), result: 'cordoned' };
}

const ownerLabel = ({ Spec }: SwarmNode): string => Spec.Labels?.[OWNER_LABEL] ?? '';

/** Takes off whatever mark of ours is on it. */
export function releaseUpdate(node: SwarmNode): NodeUpdate<undefined> {
  if (!isHostlerOwner(ownerLabel(node))) return { result: undefined };
  return { spec: withAvailability(node, 'active', { [OWNER_LABEL]: undefined }), result: undefined };
}

/** Whether a mark of ours is left from a cordon that people have undone. What they cordon later would look like ours. */
export const hasStaleOwner = (node: SwarmNode): boolean => isActive(node) && isHostlerOwner(ownerLabel(node));

export function uncordonUpdate(node: SwarmNode, owner: CordonOwner): NodeUpdate<'uncordoned' | 'not_owner'> {
  if (ownerLabel(node) === owner || hasStaleOwner(node))
    return { spec: withAvailability(node, 'active', { [OWNER_LABEL]: undefined }), result: 'uncordoned' };
  return { result: isActive(node) ? 'uncordoned' : 'not_owner' };
}

// A drain is the availability `drain`: the swarm itself then starts the tasks elsewhere and ends those of the node, those of global
// services too. None can refuse, so force has nothing to add.
//
// A node that people have paused has its tasks still, and they can go in no other way. So it is drained for as long as that takes, with
// a label that says so, and paused again when nothing is left; it is never active in between. When such a drain does not come to an end
// it stays as it is, label and all, and the next pass of whichever operation goes on with it.

const ENDED_STATES = new Set(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned']);
const UNWANTED_STATES = new Set(['shutdown', 'remove']);

/** What is still to go. Of a node that is down nobody says any more that its tasks have ended: those that it shall not have are gone. */
export function remainingTasks(node: SwarmNode, tasks: readonly SwarmTask[]): readonly SwarmTask[] {
  const hasEnded = ({ DesiredState = '', Status }: SwarmTask) =>
    ENDED_STATES.has(Status?.State ?? '') || (isDown(node) && UNWANTED_STATES.has(DesiredState));
  return tasks.filter(task => !hasEnded(task));
}

/** What is written before the tasks are looked at. */
export function drainUpdate(node: SwarmNode): NodeUpdate<SwarmNode> {
  const mustChange = isCordonedByHostler(node) && node.Spec.Availability !== 'drain';
  return { ...(mustChange && { spec: withAvailability(node, 'drain', {}) }), result: node };
}

/** What is written afterwards, where people have cordoned it. */
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

/** One that is active gets new tasks at any moment, whatever goes. */
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
