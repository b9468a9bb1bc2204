import { expect, test } from 'vitest';
import type { SourceFacts } from '../../domain/hosts/host-facts.ts';
import { sanitizeFacts } from './sanitize-facts.ts';

const OS_NAMES = ['debian', 'other'];

test.each<[string, SourceFacts, SourceFacts]>([
  [
    'keeps valid facts',
    { os: 'debian', cpus: 8, memoryKib: 1, spaceKib: 0, hostname: 'a.example' },
    { os: 'debian', cpus: 8, memoryKib: 1, spaceKib: 0, hostname: 'a.example' },
  ],
  ['returns nothing for no facts', {}, {}],
  ['drops an unknown os', { os: 'beos', cpus: 1 }, { cpus: 1 }],
  ['drops an os with JSON syntax', { os: 'debian","cpus":9,"' }, {}],
  ['drops fractional CPUs', { cpus: 1.5 }, {}],
  ['drops negative numbers', { cpus: -1, memoryKib: -1, spaceKib: -1 }, {}],
  ['drops NaN and Infinity', { cpus: Number.NaN, memoryKib: Number.POSITIVE_INFINITY }, {}],
  ['drops numbers above the limits', { cpus: 65_537, memoryKib: 2 ** 51, spaceKib: 2 ** 50 }, { spaceKib: 2 ** 50 }],
  ['drops an invalid hostname', { hostname: 'two words' }, {}],
  ['drops an empty hostname', { hostname: '' }, {}],
  ['drops a hostname over 253 characters', { hostname: 'a'.repeat(254) }, {}],
  ['drops a hostname with NUL', { hostname: 'a\0b' }, {}],
  [
    'replaces line breaks in conditions',
    { conditions: { Ready: 'True', 'a\nb': 'c\0d' } },
    { conditions: { Ready: 'True', 'a b': 'cd' } },
  ],
])('sanitizeFacts %s', (_case, facts, expected) => {
  expect(sanitizeFacts(facts, OS_NAMES)).toEqual(expected);
});

test('sanitizeFacts limits the number and length of conditions', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c${index}`, 'x'.repeat(999)]));
  const { conditions = {} } = sanitizeFacts({ conditions: many }, OS_NAMES);
  expect(Object.keys(conditions)).toHaveLength(32);
  expect(conditions['c0']).toHaveLength(64);
});
