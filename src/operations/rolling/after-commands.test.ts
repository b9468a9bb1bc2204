import { expect, test } from 'vitest';
import { again, againAnew, failed } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { afterCommands } from './after-commands.ts';

const after = (round: number, problem: Outcome | undefined) =>
  afterCommands({ progress: { done: {}, notes: {}, spentMs: 0, round } }, problem);

test.each<[string, number, Outcome | undefined, Outcome | undefined]>([
  ['what went well stays well', 2, undefined, undefined],
  ['the first bad end is not the last', 0, againAnew('not_root: p'), againAnew('not_root: p')],
  ['nor is the second', 1, againAnew('not_root: p'), againAnew('not_root: p')],
  ['the third is', 2, againAnew('not_root: p'), failed('not_root: p')],
  ['one that was cut off goes on, however often', 2, again('not_root: p'), again('not_root: p')],
  ['what has failed has failed', 0, failed('not_root: p'), failed('not_root: p')],
])('%s', (_what, round, problem, expected) => {
  expect(after(round, problem)).toEqual(expected);
});
