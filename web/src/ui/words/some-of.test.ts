import { expect, it } from 'vitest';
import { someOf } from './some-of.ts';

it.each([
  ['none', [], ''],
  ['as many as may be named', ['a', 'b'], 'a, b'],
  ['one more', ['a', 'b', 'c'], 'a, b and 1 more'],
])('%s', (_what, names, text) => {
  expect(someOf(names, 2)).toBe(text);
});
