import { describe, expect, test } from 'vitest';
import type { Options, OptionValues } from './option-fields.ts';
import { canKeepSecret, optionFields, rebaseValues, toOptions, toOptionValues, UNCHANGED } from './option-fields.ts';

const SCHEMA = {
  type: 'object',
  required: ['server_url'],
  properties: {
    endpoints: { type: 'array', items: { type: 'string', rule: 'must be a URL', description: 'A member.' } },
    server_url: { type: 'string', description: 'Where it is.' },
    token: { type: 'string', secret: true, rule: 'must be text that is not empty' },
    retries: { type: 'integer', default: 3 },
    join: { type: 'boolean' },
    mode: { enum: ['fast', 'safe'] },
    backend: { anyOf: [{ type: 'string' }, { type: 'object' }] },
  },
};
const FIELDS = optionFields(SCHEMA);

describe('optionFields', () => {
  test('lists required fields first, each with its kind', () => {
    expect(FIELDS.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'server_url text',
      'endpoints list',
      'token secret',
      'retries number',
      'join boolean',
      'mode enum',
      'backend json',
    ]);
  });

  test('takes description and rule of list items, and the default as placeholder', () => {
    expect(FIELDS.find(({ name }) => name === 'endpoints')).toMatchObject({
      description: 'A member.',
      rule: 'must be a URL',
      isRequired: false,
    });
    expect(FIELDS.find(({ name }) => name === 'retries')?.placeholder).toBe('3');
  });

  test('returns no fields for a driver without options', () => {
    expect(optionFields({ type: 'object', properties: {} })).toEqual([]);
  });
});

const EMPTY_VALUES: OptionValues = Object.fromEntries(FIELDS.map(({ name }) => [name, '']));

const CASES: readonly (readonly [
  title: string,
  values: OptionValues,
  options: Options,
  current: Options | undefined,
])[] = [
  ['no values', {}, {}, undefined],
  ['text, trimmed', { server_url: ' https://a ' }, { server_url: 'https://a' }, undefined],
  ['a list from lines', { endpoints: 'a\n\n b \n' }, { endpoints: ['a', 'b'] }, undefined],
  ['a number', { retries: '5' }, { retries: 5 }, undefined],
  ['an invalid number unchanged', { retries: 'five' }, { retries: 'five' }, undefined],
  ['true', { join: 'true' }, { join: true }, undefined],
  ['false, which differs from empty', { join: 'false' }, { join: false }, undefined],
  ['an enum value', { mode: 'safe' }, { mode: 'safe' }, undefined],
  ['text of a json field', { backend: 'vxlan' }, { backend: 'vxlan' }, undefined],
  ['an object of a json field', { backend: '{"Type": "udp"}' }, { backend: { Type: 'udp' } }, undefined],
  ['invalid JSON unchanged', { backend: '{"Type": ' }, { backend: '{"Type":' }, undefined],
  ['a secret, not trimmed', { token: ' s ' }, { token: ' s ' }, undefined],
  ['an unchanged secret', { token: UNCHANGED }, { token: 'old' }, { token: 'old' }],
  ['an unchanged secret that was not set', { token: UNCHANGED }, {}, {}],
  ['a removed secret', { token: '' }, {}, { token: 'old' }],
  ['an emptied option', { server_url: '' }, {}, { server_url: 'https://a' }],
  ['an option without a field', {}, { other: 1 }, { other: 1 }],
];

describe('toOptions', () => {
  test.each(CASES)('converts %s', (_title, values, options, current) => {
    expect(toOptions(FIELDS, { ...EMPTY_VALUES, ...values }, current)).toEqual(options);
  });
});

describe('toOptionValues', () => {
  const options = {
    server_url: 'https://a',
    endpoints: ['a', 'b'],
    token: 'secret',
    retries: 0,
    join: false,
    backend: { Type: 'udp' },
  };

  test('contains no secret', () => {
    expect(toOptionValues(FIELDS, options)).toEqual({
      server_url: 'https://a',
      endpoints: 'a\nb',
      token: UNCHANGED,
      retries: '0',
      join: 'false',
      mode: '',
      backend: '{"Type":"udp"}',
    });
  });

  test('converts back to the same options when nothing is edited', () => {
    expect(toOptions(FIELDS, toOptionValues(FIELDS, options), options)).toEqual(options);
  });
});

describe('rebaseValues', () => {
  const previous = { server_url: 'a', token: 's', retries: 1, join: true };
  const values = { ...toOptionValues(FIELDS, previous), retries: '2', mode: 'fast' };
  test.each<[string, Options, OptionValues]>([
    ['keeps unchanged fields', previous, {}],
    ['updates fields that the user did not edit', { ...previous, server_url: 'b' }, { server_url: 'b' }],
    ['empties removed fields', { server_url: 'a' }, { token: '', join: '' }],
    ['keeps edited fields', { ...previous, retries: 9, mode: 'safe' }, {}],
  ])('%s', (_title, current, changes) => {
    expect(rebaseValues(FIELDS, values, { previous, current })).toEqual({ ...values, ...changes });
  });
});

test('canKeepSecret is false for a redacted secret', () => {
  expect([canKeepSecret('(hidden)'), canKeepSecret('s3cret'), canKeepSecret(undefined)]).toEqual([false, true, true]);
});
