import { describe, expect, it } from 'vitest';
import type { Options, OptionValues } from './option-fields.ts';
import {
  canKeepSecret,
  optionFields,
  rebaseValues,
  toOptions,
  toOptionValues,
  UNCHANGED,
} from './option-fields.ts';

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
  it('has what is required first, and a kind for each', () => {
    expect(FIELDS.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'server_url text',
      'endpoints texts',
      'token secret',
      'retries number',
      'join boolean',
      'mode word',
      'backend keyed',
    ]);
  });

  it('takes words about entries of a list, and what holds by default', () => {
    expect(FIELDS.find(({ name }) => name === 'endpoints')).toMatchObject({
      description: 'A member.',
      rule: 'must be a URL',
      isRequired: false,
    });
    expect(FIELDS.find(({ name }) => name === 'retries')?.placeholder).toBe('3');
  });

  it('has no fields for a driver without options', () => {
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
  ['nothing', {}, {}, undefined],
  [
    'text, without the space around it',
    { server_url: ' https://a ' },
    { server_url: 'https://a' },
    undefined,
  ],
  ['entries, a line each', { endpoints: 'a\n\n b \n' }, { endpoints: ['a', 'b'] }, undefined],
  ['a number', { retries: '5' }, { retries: 5 }, undefined],
  ['what is no number, for the service to refuse', { retries: 'five' }, { retries: 'five' }, undefined],
  ['yes', { join: 'true' }, { join: true }, undefined],
  ['no, which is not the same as nothing', { join: 'false' }, { join: false }, undefined],
  ['a word', { mode: 'safe' }, { mode: 'safe' }, undefined],
  ['text where an object may be', { backend: 'vxlan' }, { backend: 'vxlan' }, undefined],
  ['an object', { backend: '{"Type": "udp"}' }, { backend: { Type: 'udp' } }, undefined],
  [
    'an object with a slip, for the service to refuse',
    { backend: '{"Type": ' },
    { backend: '{"Type":' },
    undefined,
  ],
  ['a secret, with the space around it', { token: ' s ' }, { token: ' s ' }, undefined],
  ['a secret that stays', { token: UNCHANGED }, { token: 'old' }, { token: 'old' }],
  ['a secret that stays and was none', { token: UNCHANGED }, {}, {}],
  ['a secret that goes', { token: '' }, {}, { token: 'old' }],
  ['an option that is emptied', { server_url: '' }, {}, { server_url: 'https://a' }],
  ['an option that no field is for', {}, { other: 1 }, { other: 1 }],
];

describe('optionsFrom', () => {
  it.each(CASES)('%s', (_title, values, options, before) => {
    expect(toOptions(FIELDS, { ...EMPTY_VALUES, ...values }, before)).toEqual(options);
  });
});

describe('typedFrom', () => {
  const options = {
    server_url: 'https://a',
    endpoints: ['a', 'b'],
    token: 'secret',
    retries: 0,
    join: false,
    backend: { Type: 'udp' },
  };

  it('shows no secret', () => {
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

  it('asks for the same options when nothing is typed', () => {
    expect(toOptions(FIELDS, toOptionValues(FIELDS, options), options)).toEqual(options);
  });
});

describe('rebased', () => {
  const previous = { server_url: 'a', token: 's', retries: 1, join: true };
  const values = { ...toOptionValues(FIELDS, previous), retries: '2', mode: 'fast' };
  it.each<[string, Options, OptionValues]>([
    ['what nobody changed stays', previous, {}],
    ['what was not touched becomes what it is now', { ...previous, server_url: 'b' }, { server_url: 'b' }],
    ['what was taken away is empty', { server_url: 'a' }, { token: '', join: '' }],
    ['what was typed stays, whatever it is now', { ...previous, retries: 9, mode: 'safe' }, {}],
  ])('%s', (_title, current, different) => {
    expect(rebaseValues(FIELDS, values, { previous, current })).toEqual({ ...values, ...different });
  });
});

it('a secret that was not told cannot be kept', () => {
  expect([canKeepSecret('(hidden)'), canKeepSecret('s3cret'), canKeepSecret(undefined)]).toEqual([
    false,
    true,
    true,
  ]);
});
