import { describe, expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
import { checkingText } from '../domain/rollout/decision.ts';
import type { HostPhase } from '../domain/vocabulary.ts';
import { PAUSE_REASONS } from '../domain/vocabulary.ts';
import { describeWait, isCheckingHosts, operationStateText, summarizeActions } from './operation-text.ts';

type WaitInput = Parameters<typeof describeWait>[0];

describe('describeWait()', () => {
  const running: WaitInput = { state: 'running', paused_by: null, problem: '' };
  test.each<[Partial<WaitInput>, string]>([
    [{}, ''],
    [
      { problem: 'no host may be started: 2 of at most 2 are unavailable' },
      'no host may be started: 2 of at most 2 are unavailable',
    ],
    [{ state: 'paused', paused_by: 'manual' }, 'paused by a user'],
    [
      { state: 'paused', paused_by: 'failures', problem: '2 hosts failed' },
      'paused because hosts failed: 2 hosts failed',
    ],
    [{ state: 'paused', paused_by: 'window' }, 'paused until its time window opens'],
    [{ state: 'paused', paused_by: 'budget' }, 'paused because unavailable hosts use all slots'],
    [{ state: 'paused', paused_by: 'partitioned' }, 'paused because no server can reach most of its hosts'],
    [{ state: 'cancelling' }, 'waiting for hosts in flight'],
    [{ state: 'cancelling', problem: 'a host does not respond' }, 'a host does not respond'],
  ])('describes %j as "%s"', (input, text) => {
    expect(describeWait({ ...running, ...input })).toBe(text);
  });

  test('returns a different text for each pause reason', () => {
    const text = PAUSE_REASONS.map(paused_by => describeWait({ ...running, state: 'paused', paused_by }));
    expect(new Set(text).size).toBe(PAUSE_REASONS.length);
  });
});

test('isCheckingHosts() recognizes the message of the server', () => {
  expect(isCheckingHosts(checkingText(['127.0.0.1'] as Address[], []))).toBe(true);
  expect(isCheckingHosts('waiting for 127.0.0.1')).toBe(false);
});

test.each([
  ['finished', 0, 'finished'],
  ['finished', 2, 'completed with failures'],
  ['failed', 2, 'failed'],
  ['running', 1, 'running'],
] as const)('operationStateText() of %s with %i failed hosts is %s', (state, failed, text) => {
  expect(operationStateText(state, { failed })).toBe(text);
});

describe('summarizeActions()', () => {
  test.each<[readonly HostPhase[], string]>([
    [[], 'nothing'],
    [['staging', 'applying', 'applying'], 'stage, apply'],
    [['cordoning', 'draining', 'armed', 'verifying', 'uncordoning'], 'cordon, drain, reboot, verify, uncordon'],
    [['preflight'], 'preflight'],
  ])('summarizes commands in %j as %s', (phases, text) => {
    expect(summarizeActions(phases.map(phase => ({ phase })))).toBe(text);
  });
});
