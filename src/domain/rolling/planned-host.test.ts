import { describe, expect, test } from 'vitest';
import type { HostPhase } from '../vocabulary.ts';
import type { PlannedHost } from './planned-host.ts';
import {
  delayed,
  entered,
  finished,
  gaveUp,
  prepared,
  retried,
  skipped,
  stateOf,
  wasInFlight,
} from './planned-host.ts';
import { PENDING } from './planned-host-lab.ts';

/** It does not answer while it is verified, and somebody has skipped it. */
const VERIFYING: PlannedHost = {
  ...PENDING,
  phase: 'verifying',
  isUnreachable: true,
  unwanted: 'by_hand',
  isCordoned: true,
  problem: 'unreachable: no route',
  prepared: { version: '44' },
  phases: [{ phase: 'verifying', attempt: 1, at: 'before' }],
  startedAt: 'before',
};

describe('a host of an operation', () => {
  test('that comes into a phase is told with its time and attempt, and has started then', () => {
    expect(entered({ ...PENDING, attempt: 2 }, 'preflight', 'now')).toEqual({
      ...PENDING,
      attempt: 2,
      phase: 'preflight',
      phases: [{ phase: 'preflight', attempt: 2, at: 'now' }],
      startedAt: 'now',
    });
  });

  test('that goes on has started when it had; what it waited for is over', () => {
    expect(entered(VERIFYING, 'uncordoning', 'now')).toMatchObject({
      startedAt: 'before',
      finishedAt: null,
      problem: '',
      isUnreachable: false,
      phases: [...VERIFYING.phases, { phase: 'uncordoning', attempt: 1, at: 'now' }],
    });
  });

  test('is in a phase once, however often that is said', () => {
    expect(entered(VERIFYING, 'verifying', 'now')).toBe(VERIFYING);
  });

  test('that is prepared waits for a slot in the phase that it was in, and keeps what came of it', () => {
    const staging = entered(PENDING, 'staging', 'before');
    const delayed = { ...staging, problem: 'p', isUnreachable: true };
    expect(prepared(delayed, 'now', { version: '44' })).toEqual({
      ...staging,
      isStaged: true,
      prepared: { version: '44' },
    });
  });

  test('that has nothing to be staged waits for its slot as one that is staging', () => {
    const staged = prepared(entered(PENDING, 'preflight', 'before'), 'now', {});
    expect(staged).toMatchObject({ phase: 'staging', isStaged: true });
    expect(staged.phases.map(({ phase, at }) => `${phase} ${at}`)).toEqual([
      'preflight before',
      'staging now',
    ]);
  });

  test('that gets a slot does not wait for one any more', () => {
    const staged = prepared(entered(PENDING, 'staging', 'before'), 'now', { version: '44' });
    expect(entered(staged, 'cordoning', 'now')).toMatchObject({
      isStaged: false,
      prepared: { version: '44' },
    });
  });

  test.each([true, false])('that is tried again says why, and whether it answers: silence %s', isSilence => {
    expect(delayed(VERIFYING, { problem: 'still_booting', isSilence, asksToReboot: false })).toEqual({
      ...VERIFYING,
      problem: 'still_booting',
      isUnreachable: isSilence,
    });
  });

  test.each([true, false])('that is done has ended: already there %s', isAlreadyThere => {
    expect(finished(VERIFYING, 'now', { isAlreadyThere })).toMatchObject({
      phase: 'done',
      isAlreadyThere,
      problem: '',
      unwanted: null,
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
    expect(gaveUp(host, 'now', { problem: 'rolled_back', keepsSlot: true, isUnlocked })).toMatchObject({
      phase: 'failed',
      problem,
      isCordoned,
      keepsSlot: true,
      unwanted: null,
      finishedAt: 'now',
    });
  });

  test.each([
    ['that is skipped keeps no slot', false, ''],
    ['that is skipped and cordoned says so', true, 'the node is still cordoned'],
  ])('%s', (_what, isCordoned, problem) => {
    const host = { ...VERIFYING, isCordoned, keepsSlot: true };
    expect(skipped(host, 'now', 'by_hand')).toMatchObject({
      phase: 'skipped',
      skipReason: 'by_hand',
      problem,
      isCordoned,
      keepsSlot: false,
      unwanted: null,
      finishedAt: 'now',
    });
  });

  test('that is retried begins anew as another attempt; what is cordoned is still known to be', () => {
    const failed = gaveUp(VERIFYING, 'then', { problem: 'rolled_back', keepsSlot: true });
    expect(retried(failed, 'now')).toMatchObject({
      phase: 'pending',
      attempt: 2,
      problem: '',
      keepsSlot: false,
      isCordoned: true,
      prepared: {},
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
    const failed = gaveUp(entered(PENDING, 'staging', 'then'), 'then', { problem: 'p', keepsSlot: false });
    expect(wasInFlight(retried(failed, 'now'))).toBe(false);
    expect(wasInFlight(retried(VERIFYING, 'now'))).toBe(true);
  });

  test.each<[HostPhase, string]>([
    ['pending', 'unreachable'],
    ['staging', 'unreachable'],
    ['verifying', 'unreachable'],
    ['done', 'done'],
    ['failed', 'failed'],
    ['skipped', 'skipped'],
  ])('that does not answer in %s is called %s', (phase, state) => {
    expect(stateOf({ phase, isUnreachable: true })).toBe(state);
    expect(stateOf({ phase, isUnreachable: false })).toBe(phase);
  });
});
