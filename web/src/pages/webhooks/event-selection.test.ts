import { describe, expect, it } from 'vitest';
import { EVENT_CATEGORIES } from '../../events/event-categories.ts';
import { isSelected, toggleEvent } from './event-selection.ts';

const ALL_CATEGORIES = EVENT_CATEGORIES.map(({ name }) => `${name}.*`);
const TOKEN_EVENTS = ['token.created', 'token.removed'];

const CASES: readonly (readonly [
  title: string,
  selected: string[],
  pattern: string,
  expected: readonly string[],
])[] = [
  ['a type is added', [], 'host.status', ['host.status']],
  ['a type is taken away', ['host.status'], 'host.status', []],
  ['a noun takes the place of its types', ['host.status'], 'host.*', ['host.*']],
  ['a noun is taken away', ['host.*'], 'host.*', []],
  ['one of a noun is left out', ['token.*'], 'token.created', ['token.removed']],
  [
    'one noun of everything is left out',
    ['*'],
    'token.*',
    ALL_CATEGORIES.filter(pattern => pattern !== 'token.*'),
  ],
  ['the order is that of the vocabulary', ['token.*'], 'host.status', ['host.status', 'token.*']],
];

describe('toggled', () => {
  it.each(CASES)('%s', (_title, selected, pattern, expected) => {
    expect(toggleEvent(selected, pattern)).toEqual(expected);
  });
});

describe('isPicked', () => {
  it.each([
    [['*'], 'host.*', true],
    [['host.*'], 'host.status', true],
    [['host.status'], 'host.*', false],
    [TOKEN_EVENTS, 'token.removed', true],
    [['host.status'], 'token.removed', false],
  ])('%j has %s: %s', (selected, pattern, is) => {
    expect(isSelected(selected, pattern)).toBe(is);
  });
});
