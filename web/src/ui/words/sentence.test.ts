import { expect, it } from 'vitest';
import { sentence } from './sentence.ts';

it.each([
  ['a sentence begins with a capital and ends', 'the cluster is in use', 'The cluster is in use.'],
  ['the name of a field stays as it is', 'ssh_port must be 22', 'ssh_port must be 22.'],
  ['an address stays as it is', '127.0.0.1 is no member', '127.0.0.1 is no member.'],
  ['what has an end gets no other', 'is it on?', 'Is it on?'],
  ['nothing stays nothing', '', ''],
])('%s', (_what, said, text) => {
  expect(sentence(said)).toBe(text);
});
