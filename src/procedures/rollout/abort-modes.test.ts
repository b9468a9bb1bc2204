import { describe, expect, test } from 'vitest';
import type { OperationKind, SkipReason } from '../../domain/vocabulary.ts';
import { OPERATION_KINDS } from '../../domain/vocabulary.ts';
import type { AbortMode } from '../step.ts';
import { abortModeOf } from './abort-modes.ts';

type Row = readonly [step: string, restart: AbortMode, others: AbortMode, byHand: AbortMode];

/** When the operation is cancelled: a restart, and what changes the host; and when a person skips the host. */
const ROWS: readonly Row[] = [
  ['cordon', 'rollback', 'rollback', 'rollback'],
  ['drain', 'rollback', 'rollback', 'rollback'],
  ['apply', 'continue', 'continue', 'continue'],
  ['plan_reboot', 'rollback', 'continue', 'rollback'],
  ['reboot', 'ask_step', 'continue', 'ask_step'],
  ['wait_for_reboot', 'continue', 'continue', 'rollback'],
  ['verify', 'continue', 'continue', 'rollback'],
  ['uncordon', 'continue', 'continue', 'continue'],
  ['cancel_reboot', 'continue', 'continue', 'continue'],
];

const modesOf = (step: string, abortReason: SkipReason) =>
  Object.fromEntries(OPERATION_KINDS.map(kind => [kind, abortModeOf(kind, step, abortReason)]));

describe('what a step does that is not wanted any more', () => {
  test.each(ROWS)('%s', (step, restart, others, byHand) => {
    const cancelled: Readonly<Record<OperationKind, AbortMode>> = {
      restart,
      upgrade: others,
      deploy: others,
    };
    expect(modesOf(step, 'cancelled')).toEqual(cancelled);
    expect(modesOf(step, 'left_cluster')).toEqual(cancelled);
    expect(modesOf(step, 'by_hand')).toEqual({ restart: byHand, upgrade: byHand, deploy: byHand });
  });
});
