import { expect, test } from 'vitest';
import { extractFacts } from './options.ts';

test.each<[string, unknown, Parameters<typeof extractFacts>[1], object | undefined]>([
  ['the names of the facts', { os: 'debian', cpus: 4 }, {}, { os: 'debian', cpus: 4 }],
  [
    'the places that are given, others by their names',
    { hw: { cores: 4 }, os: 'debian' },
    { fields: { cpus: '/hw/cores' } },
    { cpus: 4, os: 'debian' },
  ],
  ['KiB by default', { memory: 2048 }, {}, { memoryKib: 2048 }],
  [
    'bytes',
    { memory: 2047, space: 1025 },
    { memory_unit: 'B', space_unit: 'B' },
    { memoryKib: 1, spaceKib: 1 },
  ],
  ['MiB', { memory: 2 }, { memory_unit: 'MiB' }, { memoryKib: 2048 }],
  ['GiB', { space: 0.5 }, { space_unit: 'GiB' }, { spaceKib: 524_288 }],
  ['no text as a number', { memory: '2' }, { memory_unit: 'GiB' }, {}],
  ['a list where the places lead into it', [{ n: 4 }], { fields: { cpus: '/0/n' } }, { cpus: 4 }],
  ['a number that is all of it', 2048, { fields: { memory: '' } }, { memoryKib: 2048 }],
  ['what is there without a value', { cpus: null }, {}, {}],
  ['no place of a list', [{ error: 'down' }], {}, undefined],
  ['no place of a record', { error: 'down' }, { fields: { memory: '' } }, undefined],
  ['nothing of nothing', null, { fields: { memory: '' } }, undefined],
])('an answer is read by %s', (_what, answer, mapping, facts) => {
  expect(extractFacts(answer, mapping)).toEqual(facts);
});
