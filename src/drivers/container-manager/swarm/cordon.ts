// A cordon is the availability `pause`, under our mark in a label. Both are written at once, and only if nobody has changed the node
// since it was looked at. What is not active and has no mark of ours is somebody else's.

import type { EngineNode, EngineNodeSpec } from '../../../clients/docker/engine-answers.ts';
import type { CordonMark } from '../../../domain/rolling/cordon-mark.ts';
import { isOurMark } from '../../../domain/rolling/cordon-mark.ts';
import { MARK_LABEL, PAUSED_LABEL } from './labels.ts';

export const isActive = ({ Spec }: EngineNode): boolean => (Spec.Availability ?? 'active') === 'active';

/** The mark of who has cordoned it, empty when there is none; `undefined` when nobody has. */
export const cordonedBy = (node: EngineNode): string | undefined =>
  isActive(node) ? undefined : (node.Spec.Labels?.[MARK_LABEL] ?? '');

export const isCordonedByUs = (node: EngineNode): boolean => isOurMark(cordonedBy(node) ?? '');

/** The spec of a node with another availability and some labels changed; `undefined`: without that one. */
export function specWith(
  { Spec }: EngineNode,
  availability: 'active' | 'pause' | 'drain',
  labels: Readonly<Record<string, string | undefined>>,
): EngineNodeSpec {
  const all = Object.entries({ ...Spec.Labels, ...labels });
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Spec, Availability: availability, Labels: Object.fromEntries(kept) };
}

/** What is to be written, if anything is, and what to answer when it is. */
export interface Move<Answer> {
  readonly spec?: EngineNodeSpec;
  readonly answer: Answer;
}

export function cordonMove(node: EngineNode, mark: CordonMark): Move<'cordoned' | 'foreign'> {
  const before = cordonedBy(node);
  if (before === mark) return { answer: 'cordoned' };
  if (before !== undefined && !isOurMark(before)) return { answer: 'foreign' };
  // One that is being drained for an earlier attempt stays so.
  const availability = node.Spec.Availability === 'drain' ? 'drain' : 'pause';
  const labels = { [MARK_LABEL]: mark, [PAUSED_LABEL]: undefined };
  return { spec: specWith(node, availability, labels), answer: 'cordoned' };
}

const markOf = ({ Spec }: EngineNode): string => Spec.Labels?.[MARK_LABEL] ?? '';

/** Takes off whatever mark of ours is on it. */
export function giveBackMove(node: EngineNode): Move<undefined> {
  if (!isOurMark(markOf(node))) return { answer: undefined };
  return { spec: specWith(node, 'active', { [MARK_LABEL]: undefined }), answer: undefined };
}

/** Whether a mark of ours is left from a cordon that people have undone. What they cordon later would look like ours. */
export const hasStaleMark = (node: EngineNode): boolean => isActive(node) && isOurMark(markOf(node));

export function uncordonMove(node: EngineNode, mark: CordonMark): Move<'uncordoned' | 'not_ours'> {
  if (markOf(node) === mark || hasStaleMark(node))
    return { spec: specWith(node, 'active', { [MARK_LABEL]: undefined }), answer: 'uncordoned' };
  return { answer: isActive(node) ? 'uncordoned' : 'not_ours' };
}
