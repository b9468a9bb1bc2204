import { expect, test } from 'vitest';
import type { SourceFacts } from '../../domain/hosts/host-facts.ts';
import { sanitizeFacts } from './sanitize-facts.ts';

const OS_NAMES = ['debian', 'other'];

test.each<[string, SourceFacts, SourceFacts]>([
  [
    'everything that can be',
    { os: 'debian', cpus: 8, memoryKib: 1, spaceKib: 0, hostname: 'a.example' },
    { os: 'debian', cpus: 8, memoryKib: 1, spaceKib: 0, hostname: 'a.example' },
  ],
  ['nothing of nothing', {}, {}],
  ['no system that hosts cannot have', { os: 'beos', cpus: 1 }, { cpus: 1 }],
  ['no sign that a line of JSON would not bear', { os: 'debian","cpus":9,"' }, {}],
  ['no part of a CPU', { cpus: 1.5 }, {}],
  ['no number below 0', { cpus: -1, memoryKib: -1, spaceKib: -1 }, {}],
  ['no number that is none', { cpus: Number.NaN, memoryKib: Number.POSITIVE_INFINITY }, {}],
  [
    'no host with more than can be',
    { cpus: 65_537, memoryKib: 2 ** 51, spaceKib: 2 ** 50 },
    { spaceKib: 2 ** 50 },
  ],
  ['no name that is none', { hostname: 'two words' }, {}],
  ['no empty name', { hostname: '' }, {}],
  ['no name that is too long', { hostname: 'a'.repeat(254) }, {}],
  ['no name that a store does not keep', { hostname: 'a\0b' }, {}],
  [
    'conditions as one line each',
    { conditions: { Ready: 'True', 'a\nb': 'c\0d' } },
    { conditions: { Ready: 'True', 'a b': 'cd' } },
  ],
])('of what a source tells is taken: %s', (_what, facts, expected) => {
  expect(sanitizeFacts(facts, OS_NAMES)).toEqual(expected);
});

test('conditions without end are cut', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c${index}`, 'x'.repeat(999)]));
  const { conditions = {} } = sanitizeFacts({ conditions: many }, OS_NAMES);
  expect(Object.keys(conditions)).toHaveLength(32);
  expect(conditions['c0']).toHaveLength(64);
});
