import { expect, test } from 'vitest';
import type { Role } from '#vocabulary';
import { EVENT_TYPES } from '#vocabulary';
import { EVENT_CATEGORIES, visibleCategories } from './event-categories.ts';

test('each event type belongs to exactly one category', () => {
  expect(EVENT_CATEGORIES.flatMap(({ types }) => types)).toEqual(EVENT_TYPES);
  expect(EVENT_CATEGORIES.every(({ name, types }) => types.every(type => type.startsWith(`${name}.`)))).toBe(true);
});

test.each<[Role, readonly string[]]>([
  ['admin', []],
  ['operator', ['account', 'request', 'token', 'webhook']],
  ['viewer', ['account', 'request', 'token', 'webhook']],
])('visibleCategories hides from %s: %j', (role, hidden) => {
  const visible = visibleCategories(role);
  expect(EVENT_CATEGORIES.filter(category => !visible.includes(category)).map(({ name }) => name)).toEqual(hidden);
});
