import { describe, expect, test } from 'vitest';
import { EVENT_CATEGORIES } from '../../events/event-categories.ts';
import { isSelected, toggleEvent } from './event-selection.ts';

const ALL_CATEGORIES = EVENT_CATEGORIES.map(({ name }) => `${name}.*`);
const TOKEN_EVENTS = ['token.created', 'token.removed'];

const CASES: readonly (readonly [title: string, selected: string[], pattern: string, expected: readonly string[]])[] = [
  ['adds a type', [], 'host.status', ['host.status']],
  ['removes a type', ['host.status'], 'host.status', []],
  ['replaces types by their category', ['host.status'], 'host.*', ['host.*']],
  ['removes a category', ['host.*'], 'host.*', []],
  ['removes one type of a category', ['token.*'], 'token.created', ['token.removed']],
  ['removes one category of all events', ['*'], 'token.*', ALL_CATEGORIES.filter(pattern => pattern !== 'token.*')],
  ['sorts in the order of EVENT_TYPES', ['token.*'], 'host.status', ['host.status', 'token.*']],
];

describe('toggleEvent', () => {
  test.each(CASES)('%s', (_title, selected, pattern, expected) => {
    expect(toggleEvent(selected, pattern)).toEqual(expected);
  });
});

describe('isSelected', () => {
  test.each([
    [['*'], 'host.*', true],
    [['host.*'], 'host.status', true],
    [['host.status'], 'host.*', false],
    [TOKEN_EVENTS, 'token.removed', true],
    [['host.status'], 'token.removed', false],
  ])('%j includes %s: %s', (selected, pattern, expected) => {
    expect(isSelected(selected, pattern)).toBe(expected);
  });
});
