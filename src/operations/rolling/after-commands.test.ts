import { expect, test } from 'vitest';
import { again, againAnew, failed } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { afterCommands } from './after-commands.ts';

const after = (round: number, problem: Outcome | undefined) =>
  afterCommands({ progress: { done: {}, notes: {}, spentMs: 0, round } }, problem);

test.each<[string, number, Outcome | undefined, Outcome | undefined]>([
  ['what went well stays well', 2, undefined, undefined],
  ['the first bad end is not the last', 0, againAnew('p'), againAnew('p')],
  ['nor is the second', 1, againAnew('p'), againAnew('p')],
  ['the third is', 2, againAnew('p'), failed('p')],
  ['one that was cut off goes on, however often', 2, again('p'), again('p')],
  ['what has failed has failed', 0, failed('p'), failed('p')],
])('%s', (_what, round, problem, expected) => {
  expect(after(round, problem)).toEqual(expected);
});
