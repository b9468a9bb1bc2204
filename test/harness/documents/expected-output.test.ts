import { expect, test } from 'vitest';
import { findMissingLine } from './run-document.ts';

const OUTPUT =
  'id:   aB3_x\n2026-11-16T08:50:58Z  one done, in 1m 4s\n\n  two (really?) done\nthree done\n"id":4711, a.c\n';

test.each([
  ['empty output', '', undefined],
  ['lines in order with other lines between', '…\ntwo (really?) done\n\nthree done', undefined],
  ['a different time, duration and spacing', '2020-01-01T00:00:00Z one  done, in 3s', undefined],
  ['a different number', '"id":1, a.c', undefined],
  ['an ellipsis within a line', 'id: …\n…one done, …', undefined],
  ['lines in a different order', 'three done\ntwo (really?) done', 'two (really?) done'],
  ['a line twice that was printed once', 'three done\nthree done', 'three done'],
  ['a part of a line', 'three', 'three'],
  ['a regular expression character literally', '"id":4711, abc', '"id":4711, abc'],
])('findMissingLine returns the first expected line that the output lacks: %s', (_case, expected, missing) => {
  expect(findMissingLine(expected, OUTPUT)).toBe(missing);
});
