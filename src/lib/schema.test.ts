import type { TSchema } from 'typebox';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileSchema } from './schema.ts';

const strict = { additionalProperties: false };
const Word = Type.String({ pattern: '^[a-z]+$', rule: 'must be a word' });

const errorsOf = (schema: TSchema, value: unknown) =>
  compileSchema(schema)(value).map(({ path, message }) => `${path} ${message}`);

describe('compileSchema', () => {
  test.each<[string, TSchema, unknown]>([
    ['every required field', Type.Object({ a: Word }), { a: 'x' }],
    ['an unknown field if these are ignored', Type.Object({ a: Word }), { a: 'x', b: 1 }],
    ['a missing optional field', Type.Object({ a: Type.Optional(Word) }, strict), {}],
  ])('accepts %s', (_case, schema, value) => {
    expect(errorsOf(schema, value)).toEqual([]);
  });

  test.each<[string, TSchema, unknown, string[]]>([
    ['a missing field', Type.Object({ a: Word }), {}, ['/a is required']],
    ['an unknown field', Type.Object({}, strict), { b: 1 }, ['/b is not a known field']],
    [
      'a nested unknown field',
      Type.Object({ a: Type.Object({}, strict) }),
      { a: { b: 1 } },
      ['/a/b is not a known field'],
    ],
    ['a value outside the enum', Type.Object({ a: Type.Enum(['x', 'y']) }), { a: 'z' }, ['/a must be one of x, y']],
    ['a violated pattern by its rule', Type.Object({ a: Word }), { a: '1' }, ['/a must be a word']],
    ['a violated pattern in a list', Type.Array(Word), ['a', '1', '2'], ['/1 must be a word', '/2 must be a word']],
    [
      'a union with a rule, as one error',
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
    ['a number out of range', Type.Object({ a: Type.Integer({ maximum: 3 }) }), { a: 4 }, ['/a must be at most 3']],
    ['a constant that differs', Type.Object({ a: Type.Literal('x') }), { a: 'y' }, ['/a must be x']],
    ['a list instead of an object', Type.Object({ a: Word }), [], [' must be an object']],
    ['null instead of an object', Type.Object({ a: Word }), null, [' must be an object']],
    ['undefined instead of an object', Type.Object({ a: Word }), undefined, [' must be an object']],
  ])('reports %s', (_case, schema, value, errors) => {
    expect(errorsOf(schema, value)).toEqual(errors);
  });

  test('reports all errors at once', () => {
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

  test('reports every invalid property name once, by its rule', () => {
    const schema = Type.Record(Type.String(), Type.Integer(), { propertyNames: Word });
    expect(errorsOf(schema, { a: 1, '1': 1, '2': 'x' }).toSorted()).toEqual([
      '/1 must be a word',
      '/2 must be a whole number',
      '/2 must be a word',
    ]);
  });

  test("reports more than the eight errors of the library's default", () => {
    const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const schema = Type.Object(Object.fromEntries(names.map(name => [name, Word])));
    const value = Object.fromEntries(names.map(name => [name, 1]));
    expect(errorsOf(schema, value)).toHaveLength(20);
  });

  test('rejects a value with more errors than the library returns', () => {
    const unknownFields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`s${index}`, 1]));
    const errors = errorsOf(Type.Object({}, strict), unknownFields);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toBe('/s0 is not a known field');
  });

  test.each([
    ['required', Type.Object({ 'a/b~c': Word }), {}, '/a~1b~0c is required'],
    ['unknown', Type.Object({}, strict), { 'a/b~c': 1 }, '/a~1b~0c is not a known field'],
    ['invalid, with a rule', Type.Object({ 'a/b~c': Word }), { 'a/b~c': '1' }, '/a~1b~0c must be a word'],
  ])('escapes slashes and tildes in the path of a field that is %s', (_case, schema, value, error) => {
    expect(errorsOf(schema, value)).toEqual([error]);
  });

  describe('with a long list', () => {
    const schema = Type.Object({
      list: Type.Array(Type.Object({ a: Word })),
      more: Type.Object({ words: Type.Array(Word) }),
    });
    const valid = { a: 'x' };
    const value = (list: readonly unknown[], words: readonly unknown[] = []) => ({ list, more: { words } });

    test('reports the original indexes of invalid entries', () => {
      const list = Array.from({ length: 10_000 }, (_, index) => (index % 4000 === 7 ? { a: '1' } : valid));
      const words = Array.from({ length: 5000 }, (_, index) => (index === 4999 ? 1 : 'x'));
      expect(errorsOf(schema, value(list, words))).toEqual([
        '/list/7/a must be a word',
        '/list/4007/a must be a word',
        '/list/8007/a must be a word',
        '/more/words/4999 must be a word',
      ]);
    });

    test('reports only the first entries if all are invalid', () => {
      const errors = errorsOf(schema, value(Array.from({ length: 10_000 }, () => 1)));
      expect(errors[0]).toBe('/list/0 must be an object');
      expect(errors.length).toBeLessThanOrEqual(50);
    });
  });
});
