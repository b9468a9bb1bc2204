import { expect, test } from 'vitest';
import { formatCount, toSentence, truncateList } from './text.ts';

test.each([
  [0, '0 hosts'],
  [1, '1 host'],
  [12, '12 hosts'],
])('formatCount(%i) returns %s', (count, text) => {
  expect(formatCount(count, 'host')).toBe(text);
});

test.each([
  ['no names', [], ''],
  ['as many names as the limit', ['a', 'b'], 'a, b'],
  ['one name above the limit', ['a', 'b', 'c'], 'a, b and 1 more'],
])('truncateList with a limit of 2 formats %s', (_title, names, text) => {
  expect(truncateList(names, 2)).toBe(text);
});

test.each([
  ['adds a capital and a full stop', 'the cluster is in use', 'The cluster is in use.'],
  ['keeps a field name', 'ssh_port must be 22', 'ssh_port must be 22.'],
  ['keeps an address', '127.0.0.1 is no member', '127.0.0.1 is no member.'],
  ['keeps existing punctuation', 'is it on?', 'Is it on?'],
  ['keeps an empty text', '', ''],
])('toSentence %s', (_title, input, text) => {
  expect(toSentence(input)).toBe(text);
});
