import { expect, test } from 'vitest';
import type { Role } from '#vocabulary';
import { EVENT_TYPES } from '#vocabulary';
import { NOUNS, shownNouns } from './event-nouns.ts';

test('each type stands once, below its noun', () => {
  expect(NOUNS.flatMap(({ types }) => types)).toEqual(EVENT_TYPES);
  expect(NOUNS.every(({ noun, types }) => types.every(type => type.startsWith(`${noun}.`)))).toBe(true);
});

test.each<[Role, readonly string[]]>([
  ['admin', []],
  ['operator', ['account', 'request', 'token', 'webhook']],
  ['viewer', ['account', 'request', 'token', 'webhook']],
])('%s is not offered: %j', (role, without) => {
  const shown = shownNouns(role);
  expect(NOUNS.filter(each => !shown.includes(each)).map(({ noun }) => noun)).toEqual(without);
});
