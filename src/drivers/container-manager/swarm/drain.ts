// A drain is the availability `drain`: the swarm itself then starts the tasks elsewhere and ends those of the node, those of global
// services too. None can refuse, so force has nothing to add.
//
// A node that people have paused has its tasks still, and they can go in no other way. So it is drained for as long as that takes, with
// a label that says so, and paused again when nothing is left; it is never active in between. When such a drain does not come to an end
// it stays as it is, label and all, and the next pass of whichever operation goes on with it.

import type { EngineNode, EngineTask } from '../../../clients/docker/engine-answers.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import { someOf } from '../../../lib/text/some-of.ts';
import type { DrainReport } from '../node-report.ts';
import type { Move } from './cordon.ts';
import { isActive, isCordonedByUs, specWith } from './cordon.ts';
import { PAUSED_LABEL } from './labels.ts';
import { isDown, nameOf } from './node-at.ts';

const ENDED = new Set(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned']);
const UNWANTED = new Set(['shutdown', 'remove']);

/** What is still to go. Of a node that is down nobody says any more that its tasks have ended: those that it shall not have are gone. */
export function tasksLeft(node: EngineNode, tasks: readonly EngineTask[]): readonly EngineTask[] {
  const hasEnded = ({ DesiredState = '', Status }: EngineTask) =>
    ENDED.has(Status?.State ?? '') || (isDown(node) && UNWANTED.has(DesiredState));
  return tasks.filter(task => !hasEnded(task));
}

/** What is written before the tasks are looked at. */
export function beginMove(node: EngineNode): Move<EngineNode> {
  const isToChange = isCordonedByUs(node) && node.Spec.Availability !== 'drain';
  return { ...(isToChange && { spec: specWith(node, 'drain', {}) }), answer: node };
}

/** What is written afterwards, where people have cordoned it. */
export function foreignMove(node: EngineNode, hasTasks: boolean): Move<undefined> {
  const { Availability, Labels } = node.Spec;
  if (isActive(node) || isCordonedByUs(node)) return { answer: undefined };
  if (hasTasks && Availability === 'pause')
    return { spec: specWith(node, 'drain', { [PAUSED_LABEL]: 'true' }), answer: undefined };
  if (!hasTasks && Availability === 'drain' && Labels?.[PAUSED_LABEL] !== undefined)
    return { spec: specWith(node, 'pause', { [PAUSED_LABEL]: undefined }), answer: undefined };
  return { answer: undefined };
}

/** One that is active gets new tasks at any moment, whatever goes. */
export const whyNotDrained = (node: EngineNode): DrainReport | undefined =>
  isActive(node)
    ? { state: 'refused', detail: `the node ${nameOf(node)} of the swarm was set to active by someone else` }
    : undefined;

const MOST_NAMED = 5;

export function drainReport(node: EngineNode, left: readonly EngineTask[]): DrainReport {
  if (left.length === 0) return { state: 'drained' };
  const nameOfTask = ({ ID, Status }: EngineTask) => harmless(`${ID} (${Status?.State ?? 'unknown'})`);
  const named = someOf(left.map(nameOfTask), MOST_NAMED);
  return {
    state: 'draining',
    left: left.length,
    detail: `${named}; see docker node ps ${nameOf(node)}`,
  };
}
