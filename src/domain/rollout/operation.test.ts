import { describe, expect, test } from 'vitest';
import type { OperationState } from '../vocabulary.ts';
import { OPERATION_STATES, PAUSE_REASONS } from '../vocabulary.ts';
import type { InternalPauseReason } from './operation.ts';
import { allowedActions, isOperationOpen, recordStatusOf } from './operation.ts';

type Row = readonly [state: OperationState, pause: InternalPauseReason | null, without: string, withFailures: string];

/** The allowed actions without and with failed hosts. */
const ROWS: readonly Row[] = [
  ['planned', null, 'cancel skip', 'cancel skip'],
  ['running', null, 'pause cancel skip', 'pause retry cancel skip'],
  ['paused', 'manual', 'resume cancel skip', 'resume retry cancel skip'],
  ['paused', 'restored', 'resume cancel skip', 'resume retry cancel skip'],
  ['paused', 'failures', 'pause resume cancel skip', 'pause resume retry cancel skip'],
  ['paused', 'budget', 'pause resume retry cancel skip', 'pause resume retry cancel skip'],
  ['paused', 'partitioned', 'pause resume cancel skip', 'pause resume retry cancel skip'],
  ['paused', 'window', 'pause cancel skip', 'pause retry cancel skip'],
  ['paused', 'global_pause', 'pause cancel skip', 'pause retry cancel skip'],
  ['cancelling', null, 'skip', 'skip'],
  ['finished', null, '', ''],
  ['failed', null, 'retry', 'retry'],
  ['cancelled', null, '', ''],
];

describe('allowedActions', () => {
  test.each(ROWS)(
    'returns the actions of an operation that is %s with pause %s',
    (state, pause, without, withFailures) => {
      expect(allowedActions({ state, pause, isClusterRemoved: false }, { failures: 0 }).join(' ')).toBe(without);
      expect(allowedActions({ state, pause, isClusterRemoved: false }, { failures: 2 }).join(' ')).toBe(withFailures);
    },
  );

  test.each(OPERATION_STATES)('is empty after the cluster was removed: %s', state => {
    expect(allowedActions({ state, pause: null, isClusterRemoved: true }, { failures: 2 })).toEqual([]);
  });

  test('is tested for every state and every pause', () => {
    expect(new Set(ROWS.map(([state]) => state))).toEqual(new Set(OPERATION_STATES));
    expect(new Set(ROWS.map(([, pause]) => pause))).toEqual(
      new Set([null, 'global_pause', 'restored', ...PAUSE_REASONS]),
    );
  });
});

describe('recordStatusOf', () => {
  const STATUSES: Readonly<Record<OperationState, string>> = {
    planned: 'in_process',
    running: 'in_process',
    paused: 'in_process',
    cancelling: 'in_process',
    finished: 'finished',
    failed: 'failed',
    cancelled: 'cancelled',
  };

  test.each(OPERATION_STATES)('returns the record status of a %s operation', state => {
    expect(recordStatusOf({ state })).toBe(STATUSES[state]);
    expect(isOperationOpen({ state })).toBe(STATUSES[state] === 'in_process');
  });
});
