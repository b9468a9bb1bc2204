import { expect, test } from 'vitest';
import { extractFacts } from './options.ts';

test.each<[string, unknown, Parameters<typeof extractFacts>[1], object | undefined]>([
  ['the default fields', { os: 'debian', cpus: 4 }, {}, { os: 'debian', cpus: 4 }],
  [
    'the configured fields and the default for others',
    { hw: { cores: 4 }, os: 'debian' },
    { fields: { cpus: '/hw/cores' } },
    { cpus: 4, os: 'debian' },
  ],
  ['amounts in KiB by default', { memory: 2048 }, {}, { memoryKib: 2048 }],
  [
    'amounts in bytes',
    { memory: 2047, space: 1025 },
    { memory_unit: 'B', space_unit: 'B' },
    { memoryKib: 1, spaceKib: 1 },
  ],
  ['amounts in MiB', { memory: 2 }, { memory_unit: 'MiB' }, { memoryKib: 2048 }],
  ['amounts in GiB', { space: 0.5 }, { space_unit: 'GiB' }, { spaceKib: 524_288 }],
  ['no amount from a string', { memory: '2' }, { memory_unit: 'GiB' }, {}],
  ['an element of a list', [{ n: 4 }], { fields: { cpus: '/0/n' } }, { cpus: 4 }],
  ['a response that is a number', 2048, { fields: { memory: '' } }, { memoryKib: 2048 }],
  ['no fact from a null value', { cpus: null }, {}, {}],
  ['nothing from an unrelated list', [{ error: 'down' }], {}, undefined],
  ['nothing from an unrelated object', { error: 'down' }, { fields: { memory: '' } }, undefined],
  ['nothing from null', null, { fields: { memory: '' } }, undefined],
])('extractFacts reads %s', (_label, response, mapping, facts) => {
  expect(extractFacts(response, mapping)).toEqual(facts);
});
