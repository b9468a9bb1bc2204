import { expect, test } from 'vitest';
import { nextRead } from './next-read.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `::${index + 1}`);
const KNOWN = new Map(names(300).map((address, place) => [address, place]));

test.each<[string, unread: readonly string[], read: readonly string[] | 'all']>([
  ['nothing, when everything is known', [], []],
  ['the facts of a few', names(3), names(3)],
  ['the facts of some more, a few at a time', names(200), names(4)],
  ['all, when they are too many', names(201), 'all'],
  ['all, when a host has come that nothing is known of', ['::1', '127.0.0.1'], 'all'],
])('what is read next: %s', (_what, unread, read) => {
  expect(nextRead({ unread: new Set(unread), places: KNOWN })).toEqual(read);
});
