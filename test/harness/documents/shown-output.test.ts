import { expect, test } from 'vitest';
import { missingLine } from './shown-output.ts';

const SAID =
  'id:   aB3_x\n2026-11-16T08:50:58Z  one done, in 1m 4s\n\n  two (really?) done\nthree done\n"id":4711, a.c\n';

test.each([
  ['nothing', '', undefined],
  ['lines in their order, with others between', '…\ntwo (really?) done\n\nthree done', undefined],
  ['another time, another duration, other spaces', '2020-01-01T00:00:00Z one  done, in 3s', undefined],
  ['another number of the machine', '"id":1, a.c', undefined],
  ['anything in the midst of a line', 'id: …\n…one done, …', undefined],
  ['lines in another order', 'three done\ntwo (really?) done', 'two (really?) done'],
  ['a line twice that was said once', 'three done\nthree done', 'three done'],
  ['a part of a line', 'three', 'three'],
  ['what a pattern would take', '"id":4711, abc', '"id":4711, abc'],
])('shown is %s', (_what, shown, missing) => {
  expect(missingLine(shown, SAID)).toBe(missing);
});
