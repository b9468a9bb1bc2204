import { describe, expect, test } from 'vitest';
import type { Progress, Retreat } from '../../domain/work/work.ts';
import { NOT_BEGUN } from '../../domain/work/work.ts';
import { again, againAnew, done, failed, settled, waiting, withdrawn } from '../../operations/outcomes.ts';
import { nextMove } from './next-move.ts';

const TOOK_MS = 500;
const step = {
  name: 'install_prerequisites',
  patience: { firstPauseMs: 1000, longestPauseMs: 8000, giveUpAfterMs: 60_000 },
};
const situation = (progress: Progress, isLastStep = false) => ({
  progress,
  step,
  isLastStep,
  tookMs: TOOK_MS,
  chance: 1,
  isPartitioned: false,
  isSilenceTrusted: true,
});
const TRIED: Progress = {
  done: { wait_for_ssh: {} },
  step: 'install_prerequisites',
  attempts: 3,
  round: 2,
  spentMs: 30_000,
  problem: 'unreachable',
  untold: 0,
  notes: {},
  retreat: null,
};
const RETREAT: Retreat = { from: 'drain', why: 'cancelled', problem: '' };

describe('how work goes on', () => {
  test('a step that is done is remembered by name, with what it came to; the next one begins anew', () => {
    expect(nextMove(done({ packages: 'a b' }), situation(TRIED))).toEqual({
      kind: 'next step',
      progress: { ...NOT_BEGUN, done: { wait_for_ssh: {}, install_prerequisites: { packages: 'a b' } } },
      learned: {},
    });
  });

  test('after the last step it is finished', () => {
    const learned = { facts: { bootId: 'b' } };
    expect(nextMove(done({ boot_id: 'b' }, learned), situation(TRIED, true))).toEqual({
      kind: 'finished',
      progress: { ...NOT_BEGUN, done: { wait_for_ssh: {}, install_prerequisites: { boot_id: 'b' } } },
      isSettled: false,
      learned,
    });
  });

  test('the first failure begins to count the time it takes and the pause', () => {
    expect(nextMove(again('timed_out: p'), situation(NOT_BEGUN))).toEqual({
      kind: 'pause',
      progress: {
        ...NOT_BEGUN,
        step: 'install_prerequisites',
        attempts: 1,
        spentMs: 1500,
        problem: 'timed_out: p',
      },
      pauseMs: 1000,
      isSilence: false,
      asksToReboot: false,
    });
  });

  test('later ones wait longer, and are added', () => {
    expect(nextMove(again('timed_out: p'), situation(TRIED))).toEqual({
      kind: 'pause',
      progress: { ...TRIED, attempts: 4, spentMs: 38_500, problem: 'timed_out: p' },
      pauseMs: 8000,
      isSilence: false,
      asksToReboot: false,
    });
  });

  test.each([
    ['a try that was cut off goes on in the same round', again('timed_out: p'), 2],
    ['one whose command came to its end begins another', againAnew('command_failed: p'), 3],
  ])('%s', (_what, outcome, round) => {
    expect(nextMove(outcome, situation(TRIED))).toMatchObject({ kind: 'pause', progress: { round } });
  });

  test('when patience is out it is given up, with the last problem', () => {
    expect(nextMove(again('timed_out: p'), situation({ ...TRIED, spentMs: 59_500 }))).toEqual({
      kind: 'given up',
      problem: 'timed_out: p',
      learned: {},
    });
  });

  test('what will not succeed is given up at once', () => {
    expect(nextMove(failed('not_root: p'), situation(NOT_BEGUN))).toEqual({
      kind: 'given up',
      problem: 'not_root: p',
      learned: {},
    });
  });

  test('what was learnt from it is not lost', () => {
    const learned = { cause: 'distrusted' as const };
    expect(nextMove(failed('host_key_changed: p', learned), situation(TRIED))).toMatchObject({ learned });
  });

  test('that the host did not answer is told', () => {
    const outcome = again('timed_out: p', { isSilence: true });
    expect(nextMove(outcome, situation(TRIED))).toMatchObject({ kind: 'pause', isSilence: true });
  });

  test('when the rest is needless it is finished, before the last step', () => {
    const learned = { facts: { bootId: 'b' } };
    expect(nextMove(settled(learned), situation(TRIED))).toEqual({
      kind: 'finished',
      progress: TRIED,
      isSettled: true,
      learned,
    });
  });

  test('what was asked not to go on has not', () => {
    expect(nextMove(withdrawn, situation(TRIED))).toEqual({ kind: 'aborted' });
  });
});

describe('what only waits', () => {
  const notes = { boot_id: 'b', healthy_since: 5 };

  const atDeadline = { problemAtDeadline: 'not_ready: late' as const };

  test('is repeated after its pause, in whole milliseconds, with its notes', () => {
    const { spentMs } = TRIED;
    expect(nextMove(waiting(9000.2, notes, atDeadline), situation(TRIED))).toEqual({
      kind: 'pause',
      progress: { ...TRIED, problem: '', notes, spentMs: spentMs + TOOK_MS + 9001 },
      pauseMs: 9001,
      isSilence: false,
      asksToReboot: false,
    });
  });

  test('fails at the deadline of the step, and says why', () => {
    const late = { ...TRIED, spentMs: 59_999 };
    expect(nextMove(waiting(100_000, notes, atDeadline), situation(late))).toEqual({
      kind: 'given up',
      problem: 'not_ready: late',
      learned: {},
    });
  });

  test('does not come closer to its deadline while the server is partitioned', () => {
    const late = { ...TRIED, spentMs: 59_999 };
    const partitioned = { ...situation(late), isPartitioned: true };
    expect(nextMove(waiting(100_000, notes, atDeadline), partitioned)).toMatchObject({
      kind: 'pause',
      progress: { spentMs: 59_999 },
    });
  });
});

test('does not give up a silent host before other hosts have answered', () => {
  const late = { ...TRIED, spentMs: 59_999 };
  const silent = again('unreachable: no route', { isSilence: true });
  expect(nextMove(silent, situation(late))).toMatchObject({ kind: 'given up' });
  const untrusted = { ...situation(late), isSilenceTrusted: false };
  expect(nextMove(silent, untrusted)).toMatchObject({ kind: 'pause' });
});

describe('what a step has noted', () => {
  const noted: Progress = { ...TRIED, notes: { healthy_since: 5 } };

  test.each([
    ['is forgotten when it fails', again('still_booting: p'), {}],
    ['is what it says last', again('still_booting: p', { notes: { seen: 1 } }), { seen: 1 }],
    ['is of no use to the next step', done(), {}],
  ])('%s', (_what, outcome, notes) => {
    expect(nextMove(outcome, situation(noted))).toMatchObject({ progress: { notes } });
  });
});

describe('work that goes back', () => {
  const back: Progress = { ...TRIED, retreat: RETREAT };

  test.each([
    ['when a step is done', done(), false, 'next step'],
    ['when the last one is', done(), true, 'finished'],
    ['when one is tried again', again('timed_out: p'), false, 'pause'],
    ['when one waits', waiting(1, {}, { problemAtDeadline: 'not_ready: late' }), false, 'pause'],
  ])('does not forget that %s', (_what, outcome, isLastStep, kind) => {
    expect(nextMove(outcome, situation(back, isLastStep))).toMatchObject({
      kind,
      progress: { retreat: RETREAT },
    });
  });
});
