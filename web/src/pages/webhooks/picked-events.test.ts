import { describe, expect, it } from 'vitest';
import { NOUNS } from '../../event-words/event-nouns.ts';
import { isPicked, toggled } from './picked-events.ts';

const EVERY_NOUN = NOUNS.map(({ noun }) => `${noun}.*`);
const OF_TOKEN = ['token.created', 'token.removed'];

const CASES: readonly (readonly [what: string, picked: string[], press: string, then: readonly string[]])[] =
  [
    ['a type is added', [], 'host.status', ['host.status']],
    ['a type is taken away', ['host.status'], 'host.status', []],
    ['a noun takes the place of its types', ['host.status'], 'host.*', ['host.*']],
    ['a noun is taken away', ['host.*'], 'host.*', []],
    ['one of a noun is left out', ['token.*'], 'token.created', ['token.removed']],
    [
      'one noun of everything is left out',
      ['*'],
      'token.*',
      EVERY_NOUN.filter(pattern => pattern !== 'token.*'),
    ],
    ['the order is that of the vocabulary', ['token.*'], 'host.status', ['host.status', 'token.*']],
  ];

describe('toggled', () => {
  it.each(CASES)('%s', (_what, picked, press, then) => {
    expect(toggled(picked, press)).toEqual(then);
  });
});

describe('isPicked', () => {
  it.each([
    [['*'], 'host.*', true],
    [['host.*'], 'host.status', true],
    [['host.status'], 'host.*', false],
    [OF_TOKEN, 'token.removed', true],
    [['host.status'], 'token.removed', false],
  ])('%j has %s: %s', (picked, pattern, is) => {
    expect(isPicked(picked, pattern)).toBe(is);
  });
});
