import { expect, test } from 'vitest';
import { parseFactsRecord } from './parse-facts.ts';

test.each<[string, unknown, object]>([
  [
    'all facts',
    { os: 'debian', cpus: 8, memory: 16_777_216, space: 99, hostname: 'a.example' },
    { os: 'debian', cpus: 8, memoryKib: 16_777_216, spaceKib: 99, hostname: 'a.example' },
  ],
  ['some facts', { cpus: 8 }, { cpus: 8 }],
  ['additional fields', { cpus: 8, rack: 'a1', conditions: { Ready: 'True' } }, { cpus: 8 }],
  ['fractions, which are rounded down', { cpus: 1.5, memory: 10.9 }, { cpus: 1, memoryKib: 10 }],
  ['numbers as strings', { cpus: '8', memory: '16 GiB' }, {}],
  ['implausible numbers', { cpus: -1, memory: Number.NaN, space: Number.POSITIVE_INFINITY }, {}],
  ['zero, which means unknown', { cpus: 0, memory: 0.5 }, {}],
  ['names that are not strings', { os: 7, hostname: ['a'] }, {}],
  ['empty names', { os: '', hostname: '' }, {}],
  ['a string instead of a record', 'debian', {}],
  ['a list instead of a record', [1, 2], {}],
  ['null instead of a record', null, {}],
])('parseFactsRecord returns only valid facts for %s', (_label, record, facts) => {
  expect(parseFactsRecord(record)).toEqual(facts);
});
