import { expect, it } from 'vitest';
import { formatCount, toSentence, truncateList } from './text.ts';

it.each([
  [0, '0 hosts'],
  [1, '1 host'],
  [12, '12 hosts'],
])('%i: %s', (count, text) => {
  expect(formatCount(count, 'host')).toBe(text);
});

it.each([
  ['none', [], ''],
  ['as many as may be named', ['a', 'b'], 'a, b'],
  ['one more', ['a', 'b', 'c'], 'a, b and 1 more'],
])('%s', (_title, names, text) => {
  expect(truncateList(names, 2)).toBe(text);
});

it.each([
  ['a sentence begins with a capital and ends', 'the cluster is in use', 'The cluster is in use.'],
  ['the name of a field stays as it is', 'ssh_port must be 22', 'ssh_port must be 22.'],
  ['an address stays as it is', '127.0.0.1 is no member', '127.0.0.1 is no member.'],
  ['what has an end gets no other', 'is it on?', 'Is it on?'],
  ['nothing stays nothing', '', ''],
])('%s', (_title, input, text) => {
  expect(toSentence(input)).toBe(text);
});
