import { describe, expect, it } from 'vitest';
import type { Options, Typed } from './form-options.ts';
import { canKeep, KEPT, optionsFrom, rebased, typedFrom } from './form-options.ts';
import { optionFields } from './option-fields.ts';

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

const NOTHING: Typed = Object.fromEntries(FIELDS.map(({ name }) => [name, '']));

const TYPED: readonly (readonly [
  what: string,
  typed: Typed,
  options: Options,
  before: Options | undefined,
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
  ['a secret that stays', { token: KEPT }, { token: 'old' }, { token: 'old' }],
  ['a secret that stays and was none', { token: KEPT }, {}, {}],
  ['a secret that goes', { token: '' }, {}, { token: 'old' }],
  ['an option that is emptied', { server_url: '' }, {}, { server_url: 'https://a' }],
  ['an option that no field is for', {}, { other: 1 }, { other: 1 }],
];

describe('optionsFrom', () => {
  it.each(TYPED)('%s', (_what, typed, options, before) => {
    expect(optionsFrom(FIELDS, { ...NOTHING, ...typed }, before)).toEqual(options);
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
    expect(typedFrom(FIELDS, options)).toEqual({
      server_url: 'https://a',
      endpoints: 'a\nb',
      token: KEPT,
      retries: '0',
      join: 'false',
      mode: '',
      backend: '{"Type":"udp"}',
    });
  });

  it('asks for the same options when nothing is typed', () => {
    expect(optionsFrom(FIELDS, typedFrom(FIELDS, options), options)).toEqual(options);
  });
});

describe('rebased', () => {
  const before = { server_url: 'a', token: 's', retries: 1, join: true };
  const typed = { ...typedFrom(FIELDS, before), retries: '2', mode: 'fast' };
  it.each<[string, Options, Typed]>([
    ['what nobody changed stays', before, {}],
    ['what was not touched becomes what it is now', { ...before, server_url: 'b' }, { server_url: 'b' }],
    ['what was taken away is empty', { server_url: 'a' }, { token: '', join: '' }],
    ['what was typed stays, whatever it is now', { ...before, retries: 9, mode: 'safe' }, {}],
  ])('%s', (_what, now, different) => {
    expect(rebased(FIELDS, typed, { before, now })).toEqual({ ...typed, ...different });
  });
});

it('a secret that was not told cannot be kept', () => {
  expect([canKeep('(hidden)'), canKeep('s3cret'), canKeep(undefined)]).toEqual([false, true, true]);
});
