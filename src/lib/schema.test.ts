import type { TSchema } from 'typebox';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileSchema } from './schema.ts';

const strict = { additionalProperties: false };
const Word = Type.String({ pattern: '^[a-z]+$', rule: 'must be a word' });

const errorsOf = (schema: TSchema, value: unknown) =>
  compileSchema(schema)(value).map(({ path, message }) => `${path} ${message}`);

describe('a schema check', () => {
  test.each<[string, TSchema, unknown]>([
    ['every required field', Type.Object({ a: Word }), { a: 'x' }],
    ['an unknown field, where these are ignored', Type.Object({ a: Word }), { a: 'x', b: 1 }],
    ['a missing optional field', Type.Object({ a: Type.Optional(Word) }, strict), {}],
  ])('finds nothing wrong with %s', (_what, schema, value) => {
    expect(errorsOf(schema, value)).toEqual([]);
  });

  test.each<[string, TSchema, unknown, string[]]>([
    ['a missing field', Type.Object({ a: Word }), {}, ['/a is required']],
    ['an unknown field', Type.Object({}, strict), { b: 1 }, ['/b is not a known field']],
    [
      'an unknown field further in',
      Type.Object({ a: Type.Object({}, strict) }),
      { a: { b: 1 } },
      ['/a/b is not a known field'],
    ],
    [
      'a word outside the list',
      Type.Object({ a: Type.Enum(['x', 'y']) }),
      { a: 'z' },
      ['/a must be one of x, y'],
    ],
    ['a broken pattern, by its rule', Type.Object({ a: Word }), { a: '1' }, ['/a must be a word']],
    [
      'a broken pattern in a list',
      Type.Array(Word),
      ['a', '1', '2'],
      ['/1 must be a word', '/2 must be a word'],
    ],
    [
      'a union that has a rule, in one sentence',
      Type.Union([Word, Type.Object({ a: Word })], { rule: 'must be either' }),
      1,
      [' must be either'],
    ],
    [
      'a union without a rule, by the part that has the type of the value',
      Type.Union([Word, Type.Array(Word, { maxItems: 2 })]),
      ['a', '1'],
      ['/1 must be a word'],
    ],
    [
      'a union without a rule and a value of another type',
      Type.Union([Word, Type.Array(Word)]),
      1,
      [' must be a word', ' must be a list'],
    ],
    [
      'a field that another field requires',
      Type.Object({ a: Word }, { dependentRequired: { a: ['b', 'c'] } }),
      { a: 'x' },
      ['/b is required with a', '/c is required with a'],
    ],
    [
      'a value that breaks two constraints with one rule, once',
      Type.Object({ a: Type.String({ minLength: 1, pattern: '^[a-z]+$', rule: 'must be a word' }) }),
      { a: '' },
      ['/a must be a word'],
    ],
    ['another type', Type.Object({ a: Type.Boolean() }), { a: 'yes' }, ['/a must be true or false']],
    [
      'a number out of range',
      Type.Object({ a: Type.Integer({ maximum: 3 }) }),
      { a: 4 },
      ['/a must be at most 3'],
    ],
    ['a constant that differs', Type.Object({ a: Type.Literal('x') }), { a: 'y' }, ['/a must be x']],
    ['a list instead of an object', Type.Object({ a: Word }), [], [' must be an object']],
    ['null instead of an object', Type.Object({ a: Word }), null, [' must be an object']],
    ['nothing instead of an object', Type.Object({ a: Word }), undefined, [' must be an object']],
  ])('tells of %s', (_what, schema, value, errors) => {
    expect(errorsOf(schema, value)).toEqual(errors);
  });

  test('tells every error at once', () => {
    const schema = Type.Object(
      { name: Word, kind: Type.Enum(['x']), list: Type.Array(Word), count: Type.Integer(), gone: Word },
      strict,
    );
    const value = { name: '1', kind: 'y', list: ['a', '2'], count: 'many', stray: 1, other: 2 };
    expect(errorsOf(schema, value).toSorted()).toEqual([
      '/count must be a whole number',
      '/gone is required',
      '/kind must be one of x',
      '/list/1 must be a word',
      '/name must be a word',
      '/other is not a known field',
      '/stray is not a known field',
    ]);
  });

  test('tells every name that is wrong, by its rule and once', () => {
    const schema = Type.Record(Type.String(), Type.Integer(), { propertyNames: Word });
    expect(errorsOf(schema, { a: 1, '1': 1, '2': 'x' }).toSorted()).toEqual([
      '/1 must be a word',
      '/2 must be a whole number',
      '/2 must be a word',
    ]);
  });

  test('tells more than the eight errors after which the library stops by itself', () => {
    const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const schema = Type.Object(Object.fromEntries(names.map(name => [name, Word])));
    const value = Object.fromEntries(names.map(name => [name, 1]));
    expect(errorsOf(schema, value)).toHaveLength(20);
  });

  test('lets nothing pass because too much of it is wrong', () => {
    const strays = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`s${index}`, 1]));
    const errors = errorsOf(Type.Object({}, strict), strays);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toBe('/s0 is not a known field');
  });

  test.each([
    ['required', Type.Object({ 'a/b~c': Word }), {}, '/a~1b~0c is required'],
    ['unknown', Type.Object({}, strict), { 'a/b~c': 1 }, '/a~1b~0c is not a known field'],
    ['wrong, with a rule', Type.Object({ 'a/b~c': Word }), { 'a/b~c': '1' }, '/a~1b~0c must be a word'],
  ])('points to a field whose name has slashes and tildes when it is %s', (_what, schema, value, error) => {
    expect(errorsOf(schema, value)).toEqual([error]);
  });

  describe('of a long list', () => {
    const schema = Type.Object({
      list: Type.Array(Type.Object({ a: Word })),
      more: Type.Object({ words: Type.Array(Word) }),
    });
    const right = { a: 'x' };
    const value = (list: readonly unknown[], words: readonly unknown[] = []) => ({ list, more: { words } });

    test('names wrong entries by where they are', () => {
      const list = Array.from({ length: 10_000 }, (_, index) => (index % 4000 === 7 ? { a: '1' } : right));
      const words = Array.from({ length: 5000 }, (_, index) => (index === 4999 ? 1 : 'x'));
      expect(errorsOf(schema, value(list, words))).toEqual([
        '/list/7/a must be a word',
        '/list/4007/a must be a word',
        '/list/8007/a must be a word',
        '/more/words/4999 must be a word',
      ]);
    });

    test('names the first wrong entries where all are wrong', () => {
      const errors = errorsOf(schema, value(Array.from({ length: 10_000 }, () => 1)));
      expect(errors[0]).toBe('/list/0 must be an object');
      expect(errors.length).toBeLessThanOrEqual(50);
    });
  });
});
