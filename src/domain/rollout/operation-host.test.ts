import { describe, expect, test } from 'vitest';
import type { HostPhase } from '../vocabulary.ts';
import { HOST_PHASES } from '../vocabulary.ts';
import { PENDING } from './fixtures.ts';
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

/** It does not answer while it is verified, and somebody has skipped it. */
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

describe('a host of an operation', () => {
  test('that comes into a phase is told with its time and attempt, and has started then', () => {
    expect(withPhase({ ...PENDING, attempt: 2 }, 'preflight', 'now')).toEqual({
      ...PENDING,
      attempt: 2,
      phase: 'preflight',
      phases: [{ phase: 'preflight', attempt: 2, at: 'now' }],
      startedAt: 'now',
    });
  });

  test('that goes on has started when it had; what it waited for is over', () => {
    expect(withPhase(VERIFYING, 'uncordoning', 'now')).toMatchObject({
      startedAt: 'before',
      finishedAt: null,
      problem: '',
      isUnreachable: false,
      phases: [...VERIFYING.phases, { phase: 'uncordoning', attempt: 1, at: 'now' }],
    });
  });

  test('is in a phase once, however often that is said', () => {
    expect(withPhase(VERIFYING, 'verifying', 'now')).toBe(VERIFYING);
  });

  test('that is prepared waits for a slot in the phase that it was in, and keeps what came of it', () => {
    const staging = withPhase(PENDING, 'staging', 'before');
    const delayed = { ...staging, problem: 'p', isUnreachable: true };
    expect(asStaged(delayed, 'now', { version: '44' })).toEqual({
      ...staging,
      isStaged: true,
      stageResult: { version: '44' },
    });
  });

  test('that has nothing to be staged waits for its slot as one that is staging', () => {
    const staged = asStaged(withPhase(PENDING, 'preflight', 'before'), 'now', {});
    expect(staged).toMatchObject({ phase: 'staging', isStaged: true });
    expect(staged.phases.map(({ phase, at }) => `${phase} ${at}`)).toEqual([
      'preflight before',
      'staging now',
    ]);
  });

  test('that gets a slot does not wait for one any more', () => {
    const staged = asStaged(withPhase(PENDING, 'staging', 'before'), 'now', { version: '44' });
    expect(withPhase(staged, 'cordoning', 'now')).toMatchObject({
      isStaged: false,
      stageResult: { version: '44' },
    });
  });

  test.each([true, false])(
    'that is tried again says why, and whether it answers: silence %s',
    isUnresponsive => {
      expect(asDelayed(VERIFYING, { problem: 'still_booting', isUnresponsive, asksToReboot: false })).toEqual(
        {
          ...VERIFYING,
          problem: 'still_booting',
          isUnreachable: isUnresponsive,
        },
      );
    },
  );

  test.each([true, false])('that is done has ended: already there %s', wasNoop => {
    expect(asDone(VERIFYING, 'now', { wasNoop })).toMatchObject({
      phase: 'done',
      wasNoop: wasNoop,
      problem: '',
      abortReason: null,
      isUnreachable: false,
      startedAt: 'before',
      finishedAt: 'now',
    });
  });

  test.each([
    ['that failed says why', false, false, 'rolled_back'],
    ['that failed and is cordoned says so', true, false, 'rolled_back; the node is still cordoned'],
    [
      'that failed and has something staged and unlocked says so',
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
    ['that is skipped keeps no slot', false, ''],
    ['that is skipped and cordoned says so', true, 'the node is still cordoned'],
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

  test('that is retried begins anew as another attempt; what is cordoned is still known to be', () => {
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

  test('that was in flight in an attempt before is known to have been', () => {
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
  ])('that does not answer in %s is called %s', (phase, state) => {
    expect(displayState({ phase, isUnreachable: true })).toBe(state);
    expect(displayState({ phase, isUnreachable: false })).toBe(phase);
  });
});

describe('the phases of a host', () => {
  test('each is waiting, preparing, in flight or ended', () => {
    const groups = ['pending', ...PREPARING_PHASES, ...IN_FLIGHT_PHASES];
    expect(groups).toEqual(OPEN_PHASES);
    expect([...groups, 'done', 'failed', 'skipped']).toEqual(HOST_PHASES);
  });

  test('a slot is used from cordoning to uncordoning', () => {
    const [first, last] = [IN_FLIGHT_PHASES.at(0), IN_FLIGHT_PHASES.at(-1)];
    expect([first, last]).toEqual(['cordoning', 'uncordoning']);
  });
});

test('a mark names the operation and the attempt', () => {
  expect(cordonOwner('a1b2', 3)).toBe('hostler/a1b2/3');
});

test.each([
  ['one that we make', cordonOwner('a1b2', 1), true],
  ['one of an operation that nobody knows any more', 'hostler/gone/7', true],
  ['none', '', false],
  ['one of somebody else', 'kured', false],
  ['one that only looks alike', 'hostlery/a1b2/1', false],
  ['one that names us further on', 'by hostler/a1b2/1', false],
])('of marks, %s is told: %j', (_what, text, isHostlers) => {
  expect(isHostlerOwner(text)).toBe(isHostlers);
});
