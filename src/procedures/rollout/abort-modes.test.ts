import { describe, expect, test } from 'vitest';
import type { AbortReason, OperationKind } from '../../domain/vocabulary.ts';
import { OPERATION_KINDS } from '../../domain/vocabulary.ts';
import type { AbortMode } from '../step.ts';
import { abortModeOf } from './abort-modes.ts';

type Row = readonly [step: string, restart: AbortMode, others: AbortMode, byHand: AbortMode];

/**
 * Columns: mode when a restart is cancelled, when an upgrade or deploy is cancelled, and when a user skips the host.
 */
const ROWS: readonly Row[] = [
  ['cordon', 'rollback', 'rollback', 'rollback'],
  ['drain', 'rollback', 'rollback', 'rollback'],
  ['apply', 'continue', 'continue', 'continue'],
  ['plan_reboot', 'rollback', 'continue', 'rollback'],
  ['reboot', 'step_decides', 'continue', 'step_decides'],
  ['wait_for_reboot', 'continue', 'continue', 'rollback'],
  ['verify', 'continue', 'continue', 'rollback'],
  ['uncordon', 'continue', 'continue', 'continue'],
  ['cancel_reboot', 'continue', 'continue', 'continue'],
];

const modesOf = (step: string, abortReason: AbortReason) =>
  Object.fromEntries(OPERATION_KINDS.map(kind => [kind, abortModeOf(kind, step, abortReason)]));

describe('abortModeOf', () => {
  test.each(ROWS)('returns the modes of step %s', (step, restart, others, byHand) => {
    const cancelled: Readonly<Record<OperationKind, AbortMode>> = {
      restart,
      upgrade: others,
      deploy: others,
    };
    expect(modesOf(step, 'cancelled')).toEqual(cancelled);
    expect(modesOf(step, 'by_hand')).toEqual({ restart: byHand, upgrade: byHand, deploy: byHand });
  });
});
