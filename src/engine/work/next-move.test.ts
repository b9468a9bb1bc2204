import { describe, expect, test } from 'vitest';
import type { Progress } from '../../domain/work.ts';
import { NOT_BEGUN } from '../../domain/work.ts';
import { again, againAnew, done, failed } from '../../operations/outcomes.ts';
import { nextMove } from './next-move.ts';

const step = {
  name: 'prepare',
  patience: { firstPauseMs: 1000, longestPauseMs: 8000, giveUpAfterMs: 60_000 },
};
const situation = (progress: Progress, isLastStep = false) => ({
  progress,
  step,
  isLastStep,
  tookMs: 500,
  chance: 1,
});
const TRIED: Progress = {
  done: { contact: {} },
  step: 'prepare',
  attempts: 3,
  round: 2,
  spentMs: 30_000,
  problem: 'unreachable',
  notes: {},
  retreat: null,
};

describe('how work goes on', () => {
  test('a step that is done is remembered by name, with what it came to; the next one begins anew', () => {
    expect(nextMove(done({ packages: 'a b' }), situation(TRIED))).toEqual({
      kind: 'next step',
      progress: { ...NOT_BEGUN, done: { contact: {}, prepare: { packages: 'a b' } } },
    });
  });

  test('after the last step it is finished', () => {
    expect(nextMove(done(), situation(TRIED, true))).toEqual({ kind: 'finished' });
  });

  test('the first failure begins to count the time it takes and the pause', () => {
    expect(nextMove(again('timed_out'), situation(NOT_BEGUN))).toEqual({
      kind: 'pause',
      progress: { done: {}, step: 'prepare', attempts: 1, round: 0, spentMs: 1500, problem: 'timed_out' },
      pauseMs: 1000,
    });
  });

  test('later ones wait longer, and are added', () => {
    expect(nextMove(again('timed_out'), situation(TRIED))).toEqual({
      kind: 'pause',
      progress: { ...TRIED, attempts: 4, spentMs: 38_500, problem: 'timed_out' },
      pauseMs: 8000,
    });
  });

  test.each([
    ['a try that was cut off goes on in the same round', again('timed_out'), 2],
    ['one whose command came to its end begins another', againAnew('command_failed'), 3],
  ])('%s', (_what, outcome, round) => {
    expect(nextMove(outcome, situation(TRIED))).toMatchObject({ kind: 'pause', progress: { round } });
  });

  test('when patience is out it is given up, with the last problem', () => {
    expect(nextMove(again('timed_out'), situation({ ...TRIED, spentMs: 59_500 }))).toEqual({
      kind: 'given up',
      problem: 'timed_out',
    });
  });

  test('what will not succeed is given up at once', () => {
    expect(nextMove(failed('no_root'), situation(NOT_BEGUN))).toEqual({
      kind: 'given up',
      problem: 'no_root',
    });
  });
});
