import { expect, test } from 'vitest';
import { escapeKey, getAtPointer, parsePointer } from './json.ts';

const VALUE = { 'a/b': { 'm~n': [10, { x: 'y' }] }, '': 1 };

test.each([
  ['', VALUE],
  ['#', VALUE],
  ['/a~1b/m~0n/0', 10],
  ['#/a~1b/m~0n/1/x', 'y'],
  ['/', 1],
  ['/a', undefined],
  ['/a~1b/m~0n/2', undefined],
  ['/a~1b/constructor', undefined],
  ['/a~1b/m~0n/1/x/length', undefined],
])('getAtPointer resolves %j to %j', (pointer, value) => {
  expect(getAtPointer(VALUE, pointer)).toEqual(value);
});

test.each(['plain', 'a/b', 'm~n', '~1', '~0/', ''])('parsePointer restores the escaped key %j', key => {
  expect(parsePointer(`/x/${escapeKey(key)}`)).toEqual(['x', key]);
});
