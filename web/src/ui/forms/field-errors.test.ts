import { describe, expect, it } from 'vitest';
import { RequestRefused } from '#client/client.ts';
import { fieldErrors } from './field-errors.ts';

const refusal = (errors: readonly (readonly [path: string, message: string])[], code = 'invalid_body') =>
  new RequestRefused(400, {
    ...{ type: '', title: 'Bad Request', status: 400, detail: 'it is wrong', code, request_id: 'r1' },
    errors: errors.map(([path, message]) => ({ path, message })),
  });

const restOf = (rest: unknown) =>
  rest instanceof RequestRefused ? rest.problem.errors?.map(({ path }) => path) : rest;

describe('fieldErrors', () => {
  it.each([
    ['a field of the body', [['/url', 'must be a URL']], { url: 'Must be a URL' }, []],
    ['an option', [['/options/url', 'must be a URL']], { url: 'Must be a URL' }, []],
    ['an entry of a list', [['/options/list/1', 'must be a URL']], { list: 'Item 2 must be a URL' }, []],
    [
      'two errors of a field',
      [
        ['/url', 'is too long'],
        ['/url', 'must be a URL'],
      ],
      { url: 'This is too long; Must be a URL' },
      [],
    ],
    [
      'the same twice',
      [
        ['/url', 'must be a URL'],
        ['/url', 'must be a URL'],
      ],
      { url: 'Must be a URL' },
      [],
    ],
    ['a name with a slash', [['/options/a~1b', 'is odd']], { 'a/b': 'This is odd' }, []],
    ['what no field is for', [['/options', 'must have more']], {}, ['/options']],
    [
      'some of both',
      [
        ['/options', 'must have more'],
        ['/url', 'is odd'],
      ],
      { url: 'This is odd' },
      ['/options'],
    ],
  ] as const)('%s', (_what, errors, of, rest) => {
    const found = fieldErrors(refusal(errors), ['url', 'list', 'a/b'], '/options');
    expect(found.of).toEqual(of);
    expect(restOf(found.summary ?? found.rest)).toEqual(rest);
    // Above the fields if one of them has an error, else below.
    expect(found.summary === undefined).toBe(Object.keys(of).length === 0);
    expect(found.rest === undefined).toBe(Object.keys(of).length > 0);
  });

  it.each([
    ['one of them', [['/a b', 'is odd']], 'a b is odd'],
    [
      'two of them',
      [
        ['/a b', 'is odd'],
        ['/x~1-', 'is odd'],
      ],
      'a b is odd; x/- is odd',
    ],
    ['their number', [['', 'must be fewer']], 'Must be fewer'],
  ] as const)('says which it is where one field has all of the body: %s', (_what, errors, labels) => {
    const found = fieldErrors(refusal(errors), key => ({ name: 'labels', entry: key }));
    expect(found.of).toEqual({ labels });
    expect(restOf(found.summary)).toEqual([]);
  });

  it('tells a name that is none beside its field', () => {
    expect(fieldErrors(refusal([], 'invalid_name'), ['name'])).toEqual({
      of: { name: 'Use 1 to 128 letters, digits, _ or -. Spaces are not allowed.' },
      summary: undefined,
      rest: undefined,
    });
  });

  it('leaves other failures as they are', () => {
    const failure = new Error('gone');
    expect(fieldErrors(failure, ['url'])).toEqual({ of: {}, summary: undefined, rest: failure });
    expect(fieldErrors(undefined, ['url'])).toEqual({ of: {}, summary: undefined, rest: undefined });
  });
});
