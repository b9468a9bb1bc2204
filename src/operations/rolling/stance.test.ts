import { describe, expect, test } from 'vitest';
import type { OperationKind, SkipReason } from '../../domain/vocabulary.ts';
import { OPERATION_KINDS } from '../../domain/vocabulary.ts';
import type { Stance } from '../step.ts';
import { stanceOf } from './stance.ts';

type Row = readonly [step: string, restart: Stance, others: Stance, byHand: Stance];

/** When the operation is cancelled: a restart, and what changes the host; and when a person skips the host. */
const ROWS: readonly Row[] = [
  ['cordon', 'retreat', 'retreat', 'retreat'],
  ['drain', 'retreat', 'retreat', 'retreat'],
  ['apply', 'carry on', 'carry on', 'carry on'],
  ['plan_reboot', 'retreat', 'carry on', 'retreat'],
  ['reboot', 'ask it', 'carry on', 'ask it'],
  ['wait_for_reboot', 'carry on', 'carry on', 'retreat'],
  ['verify', 'carry on', 'carry on', 'retreat'],
  ['uncordon', 'carry on', 'carry on', 'carry on'],
  ['cancel_reboot', 'carry on', 'carry on', 'carry on'],
];

const ofAll = (step: string, unwanted: SkipReason) =>
  Object.fromEntries(OPERATION_KINDS.map(kind => [kind, stanceOf(kind, step, unwanted)]));

describe('what a step does that is not wanted any more', () => {
  test.each(ROWS)('%s', (step, restart, others, byHand) => {
    const cancelled: Readonly<Record<OperationKind, Stance>> = { restart, upgrade: others, deploy: others };
    expect(ofAll(step, 'cancelled')).toEqual(cancelled);
    expect(ofAll(step, 'left_cluster')).toEqual(cancelled);
    expect(ofAll(step, 'by_hand')).toEqual({ restart: byHand, upgrade: byHand, deploy: byHand });
  });
});
