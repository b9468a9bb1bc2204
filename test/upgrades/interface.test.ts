// Whatever could be asked of a released version can be asked of this one, or was announced to go.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Interface } from './interface.ts';
import { breaksOf, takenAway } from './interface-problems.ts';
import { keptInterface, keptVersions } from './kept-data.ts';
import { presentInterface } from './present-interface.ts';
import type { Removal } from './removed.ts';
import { REMOVED, removalProblem } from './removed.ts';

const present = presentInterface();
const changelog = readFileSync(path.resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');

describe.each(keptVersions())('what version %s could be asked for', version => {
  const kept = keptInterface(version);

  test('is there, or was announced to go', () => {
    const announced = new Set(REMOVED.map(({ line }) => line));
    expect(takenAway(kept, present).filter(line => !announced.has(line))).toEqual([]);
  });

  test('asks for no more than it did, and answers no less', () => {
    expect(breaksOf(kept, present)).toEqual([]);
  });
});

test('what was taken away was there once, is there no more, and was announced, as the changelog and the days say', () => {
  const gone = new Set(keptVersions().flatMap(version => takenAway(keptInterface(version), present)));
  expect(REMOVED.filter(({ line }) => !gone.has(line))).toEqual([]);
  expect(REMOVED.flatMap(each => removalProblem(each, changelog) ?? [])).toEqual([]);
});

test('what is deprecated stands in the changelog under Deprecated', () => {
  const told = changelog
    .split('\n### Deprecated\n')
    .slice(1)
    .map(part => part.split(/\n##/)[0])
    .join();
  expect(Object.keys(present.deprecations).filter(thing => !told.includes(thing))).toEqual([]);
});

describe('a break is found', () => {
  const call = 'GET /toys';
  const before: Interface = {
    there: { requests: [call, `${call} > size: integer`, `${call} ? old: string`], commands: ['toy add'] },
    needed: [],
    optional: [],
    closed: { sizes: ['small', 'large'] },
    deprecations: { toys: { since: '2026-11-15', sunset: '2027-09-01' } },
  };

  test.each<[string, Partial<Interface>, readonly string[]]>([
    ['nothing', {}, []],
    ['a needed parameter', { needed: [`${call} ? old`] }, [`is needed now: ${call} ? old`]],
    ['a needed option', { needed: ['toy add --size'] }, ['is needed now: toy add --size']],
    ['a needed field of what is new', { needed: ['PUT /toy < size'] }, []],
    ['a field that may be missing', { optional: [`${call} > size`] }, [`may be missing now: ${call} > size`]],
    ['a new field that may be missing', { optional: [`${call} > age`] }, []],
    ['another word', { closed: { sizes: ['small', 'large', 'huge'] } }, ['other words: sizes']],
    ['words in another order', { closed: { sizes: ['large', 'small'] } }, []],
    [
      'an earlier end',
      { deprecations: { toys: { since: '2026-11-15', sunset: '2027-08-01' } } },
      ['ends earlier than was said: toys'],
    ],
    ['a later end', { deprecations: { toys: { since: '2026-11-15', sunset: '2028-01-01' } } }, []],
    ['that it stays after all', { deprecations: {} }, []],
  ])('%s', (_what, changed, problems) => {
    expect(breaksOf(before, { ...before, ...changed })).toEqual(problems);
  });

  test('a field, a call or a command that is gone', () => {
    const now = { ...before, there: { requests: [call, `${call} > size: string`], metrics: ['toys gauge'] } };
    expect(takenAway(before, now)).toEqual([`${call} > size: integer`, `${call} ? old: string`, 'toy add']);
  });
});

describe('a removal keeps the promises', () => {
  const said = [
    '## [0.5.0] - 2027-08-01\n\n### Security\n\n- `GET /unsafe` is gone.\n\n### Removed\n\n- `GET /toys`.\n- `GET /games`.\n',
    '## [0.4.0] - 2027-06-01\n\n### Deprecated\n\n- `GET /games`: use others.\n',
    '## [0.3.0] - 2027-01-15\n\n### Deprecated\n\n- `GET /toys`: use others.\n',
  ].join('\n');
  const removal: Removal = {
    line: 'GET /toys',
    called: '`GET /toys`',
    deprecatedIn: { version: '0.3.0', day: '2027-01-15' },
    goneIn: { version: '0.5.0', day: '2027-08-01' },
  };
  const { deprecatedIn: _, ...atOnce } = removal;

  test.each<[string, Removal, string | undefined]>([
    ['one that was announced', removal, undefined],
    ['of what was unsafe', { ...atOnce, called: '`GET /unsafe`' }, undefined],
    ['at once for no reason', atOnce, 'the changelog does not say why it was unsafe'],
    ['unannounced', { ...removal, called: '`GET /unsafe`' }, 'the changelog never called it deprecated'],
    [
      'unsaid',
      { ...removal, goneIn: { version: '0.4.0', day: '2027-08-01' } },
      'the changelog does not call it removed',
    ],
    ['early', { ...removal, goneIn: { version: '0.5.0', day: '2027-06-01' } }, 'too little time'],
    [
      'in the release after',
      { ...removal, called: '`GET /games`', deprecatedIn: { version: '0.4.0', day: '2027-01-15' } },
      'no release in between had it',
    ],
  ])('%s', (_what, given, problem) => {
    expect(removalProblem(given, `# Changelog\n\n${said}`)).toBe(problem);
  });
});
