import { expect, test } from 'vitest';
import { parseFactsRecord } from './parse-facts.ts';

test.each<[string, unknown, object]>([
  [
    'everything',
    { os: 'debian', cpus: 8, memory: 16_777_216, space: 99, hostname: 'a.example' },
    { os: 'debian', cpus: 8, memoryKib: 16_777_216, spaceKib: 99, hostname: 'a.example' },
  ],
  ['a part', { cpus: 8 }, { cpus: 8 }],
  ['more than is asked for', { cpus: 8, rack: 'a1', conditions: { Ready: 'True' } }, { cpus: 8 }],
  ['whole numbers only', { cpus: 1.5, memory: 10.9 }, { cpus: 1, memoryKib: 10 }],
  ['no number that is text', { cpus: '8', memory: '16 GiB' }, {}],
  ['no number that cannot be', { cpus: -1, memory: Number.NaN, space: Number.POSITIVE_INFINITY }, {}],
  ['no 0, which means that it is not known', { cpus: 0, memory: 0.5 }, {}],
  ['no text that is none', { os: 7, hostname: ['a'] }, {}],
  ['no empty text', { os: '', hostname: '' }, {}],
  ['nothing of what is no record', 'debian', {}],
  ['nothing of a list', [1, 2], {}],
  ['nothing of nothing', null, {}],
])('a record tells %s', (_what, record, facts) => {
  expect(parseFactsRecord(record)).toEqual(facts);
});
