import { describe, expect, test } from 'vitest';
import { PENDING } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import type { HostPhase } from '../vocabulary.ts';
import { HOST_PHASES } from '../vocabulary.ts';
import type { OperationHost } from './operation-host.ts';
import {
  asDelayed,
  asDone,
  asFailed,
  asRetried,
  asSkipped,
  asStaged,
  cordonOwner,
  displayState,
  IN_FLIGHT_PHASES,
  isHostlerOwner,
  OPEN_PHASES,
  PREPARING_PHASES,
  wasInFlight,
  withPhase,
} from './operation-host.ts';

/** An unreachable host in verification that a user has skipped. */
const VERIFYING: OperationHost = {
  ...PENDING,
  phase: 'verifying',
  isUnreachable: true,
  abortReason: 'by_hand',
  isCordoned: true,
  problem: 'unreachable: no route',
  stageResult: { version: '44' },
  phases: [{ phase: 'verifying', attempt: 1, at: 'before' }],
  startedAt: 'before',
};

describe('operation host', () => {
  test('records the time and attempt of a new phase, and its start time', () => {
    expect(withPhase({ ...PENDING, attempt: 2 }, 'preflight', 'now')).toEqual({
      ...PENDING,
      attempt: 2,
      phase: 'preflight',
      phases: [{ phase: 'preflight', attempt: 2, at: 'now' }],
      startedAt: 'now',
    });
  });

  test('keeps its start time and clears its problem in the next phase', () => {
    expect(withPhase(VERIFYING, 'uncordoning', 'now')).toMatchObject({
      startedAt: 'before',
      finishedAt: null,
      problem: '',
      isUnreachable: false,
      phases: [...VERIFYING.phases, { phase: 'uncordoning', attempt: 1, at: 'now' }],
    });
  });

  test('does not change if it is already in the phase', () => {
    expect(withPhase(VERIFYING, 'verifying', 'now')).toBe(VERIFYING);
  });

  test('stays in its phase when staged, and keeps the stage result', () => {
    const staging = withPhase(PENDING, 'staging', 'before');
    const delayed = { ...staging, problem: 'p', isUnreachable: true };
    expect(asStaged(delayed, 'now', { version: '44' })).toEqual({
      ...staging,
      isStaged: true,
      stageResult: { version: '44' },
      phases: [...staging.phases, { phase: 'queued', attempt: 1, at: 'now' }],
    });
  });

  test('is queued without staging if nothing had to be staged', () => {
    const staged = asStaged(withPhase(PENDING, 'preflight', 'before'), 'now', {});
    expect(staged).toMatchObject({ phase: 'staging', isStaged: true });
    expect(staged.phases.map(({ phase, at }) => `${phase} ${at}`)).toEqual(['preflight before', 'queued now']);
  });

  test('is no longer staged after it gets a slot', () => {
    const staged = asStaged(withPhase(PENDING, 'staging', 'before'), 'now', { version: '44' });
    expect(withPhase(staged, 'cordoning', 'now')).toMatchObject({
      isStaged: false,
      stageResult: { version: '44' },
    });
  });

  test.each([true, false])('records the problem of a delay; unresponsive: %s', isUnresponsive => {
    expect(asDelayed(VERIFYING, { problem: 'still_booting', isUnresponsive, awaitsRebootClearance: false })).toEqual({
      ...VERIFYING,
      problem: 'still_booting',
      isUnreachable: isUnresponsive,
    });
  });

  test.each([true, false])('has ended when done; no-op: %s', wasNoop => {
    expect(asDone(VERIFYING, 'now', { wasNoop })).toMatchObject({
      phase: 'done',
      wasNoop,
      problem: '',
      abortReason: null,
      isUnreachable: false,
      startedAt: 'before',
      finishedAt: 'now',
    });
  });

  test.each([
    ['reports the problem of a failure', false, false, 'rolled_back'],
    ['reports that it is still cordoned after a failure', true, false, 'rolled_back; the node is still cordoned'],
    [
      'reports an unlocked staged version after a failure',
      ...[false, true],
      'rolled_back; the staged version could not be locked and will be activated by the next boot',
    ],
  ] as const)('%s', (_what, isCordoned, isUnlocked, problem) => {
    const host = { ...VERIFYING, isCordoned };
    expect(asFailed(host, 'now', { problem: 'rolled_back', holdsSlot: true, isUnlocked })).toMatchObject({
      phase: 'failed',
      problem,
      isCordoned,
      holdsSlot: true,
      abortReason: null,
      finishedAt: 'now',
    });
  });

  test.each([
    ['releases its slot when skipped', false, ''],
    ['reports that it is still cordoned when skipped', true, 'the node is still cordoned'],
  ])('%s', (_what, isCordoned, problem) => {
    const host = { ...VERIFYING, isCordoned, holdsSlot: true };
    expect(asSkipped(host, 'now', 'by_hand')).toMatchObject({
      phase: 'skipped',
      skipReason: 'by_hand',
      problem,
      isCordoned,
      holdsSlot: false,
      abortReason: null,
      finishedAt: 'now',
    });
  });

  test('starts over as a new attempt when retried, and stays cordoned', () => {
    const failed = asFailed(VERIFYING, 'then', { problem: 'rolled_back', holdsSlot: true });
    expect(asRetried(failed, 'now')).toMatchObject({
      phase: 'pending',
      attempt: 2,
      problem: '',
      holdsSlot: false,
      isCordoned: true,
      stageResult: {},
      startedAt: 'before',
      finishedAt: null,
      phases: [
        { phase: 'verifying', attempt: 1, at: 'before' },
        { phase: 'failed', attempt: 1, at: 'then' },
        { phase: 'pending', attempt: 2, at: 'now' },
      ],
    });
  });

  test('remembers that an earlier attempt was in flight', () => {
    const failed = asFailed(withPhase(PENDING, 'staging', 'then'), 'then', {
      problem: 'p',
      holdsSlot: false,
    });
    expect(wasInFlight(asRetried(failed, 'now'))).toBe(false);
    expect(wasInFlight(asRetried(VERIFYING, 'now'))).toBe(true);
  });

  test.each<[HostPhase, string]>([
    ['pending', 'unreachable'],
    ['staging', 'unreachable'],
    ['verifying', 'unreachable'],
    ['done', 'done'],
    ['failed', 'failed'],
    ['skipped', 'skipped'],
  ])('an unresponsive host in the phase %s is shown as %s', (phase, state) => {
    expect(displayState({ phase, isStaged: false, isUnreachable: true })).toBe(state);
    expect(displayState({ phase, isStaged: false, isUnreachable: false })).toBe(phase);
  });

  test.each([
    [false, 'queued'],
    [true, 'unreachable'],
  ])('a staged host (unreachable: %s) is shown as %s', (isUnreachable, state) => {
    expect(displayState({ phase: 'staging', isStaged: true, isUnreachable })).toBe(state);
  });
});

describe('host phases', () => {
  test('are each waiting, preparing, in flight or ended', () => {
    const groups = ['pending', ...PREPARING_PHASES, ...IN_FLIGHT_PHASES];
    expect(groups).toEqual(OPEN_PHASES);
    expect([...groups, 'done', 'failed', 'skipped']).toEqual(HOST_PHASES);
  });

  test('use a slot from cordoning to uncordoning', () => {
    const [first, last] = [IN_FLIGHT_PHASES.at(0), IN_FLIGHT_PHASES.at(-1)];
    expect([first, last]).toEqual(['cordoning', 'uncordoning']);
  });
});

test('cordonOwner contains the operation and the attempt', () => {
  expect(cordonOwner('a1b2', 3)).toBe('hostler/a1b2/3');
});

test.each([
  ['a generated owner', cordonOwner('a1b2', 1), true],
  ['an owner of an unknown operation', 'hostler/gone/7', true],
  ['an empty owner', '', false],
  ['another owner', 'kured', false],
  ['a similar prefix', 'hostlery/a1b2/1', false],
  ['the prefix in the middle', 'by hostler/a1b2/1', false],
])('isHostlerOwner returns $2 for %s: %j', (_what, text, isHostlers) => {
  expect(isHostlerOwner(text)).toBe(isHostlers);
});
