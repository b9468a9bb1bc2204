import { describe, expect, test } from 'vitest';
import { ApiError } from '#sdk/errors.ts';
import { mapFieldErrors } from './field-errors.ts';

const rejectedError = (errors: readonly (readonly [path: string, message: string])[], code = 'invalid_body') =>
  new ApiError(400, {
    ...{ type: '', title: 'Bad Request', status: 400, detail: 'invalid body', code, request_id: 'r1' },
    errors: errors.map(([path, message]) => ({ path, message })),
  });

const remainingErrors = (rest: unknown) =>
  rest instanceof ApiError ? rest.problem.errors?.map(({ path }) => path) : rest;

describe('mapFieldErrors', () => {
  test.each([
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
      'a duplicate error',
      [
        ['/url', 'must be a URL'],
        ['/url', 'must be a URL'],
      ],
      { url: 'Must be a URL' },
      [],
    ],
    ['a name with a slash', [['/options/a~1b', 'is odd']], { 'a/b': 'This is odd' }, []],
    ['an error without a field', [['/options', 'must have more']], {}, ['/options']],
    [
      'errors with and without a field',
      [
        ['/options', 'must have more'],
        ['/url', 'is odd'],
      ],
      { url: 'This is odd' },
      ['/options'],
    ],
  ] as const)('maps %s', (_title, errors, byField, rest) => {
    const mapped = mapFieldErrors(rejectedError(errors), ['url', 'list', 'a/b'], '/options');
    expect(mapped.byField).toEqual(byField);
    expect(remainingErrors(mapped.summary ?? mapped.formError)).toEqual(rest);
    // A summary is shown above the fields if a field has an error, otherwise the form error below.
    expect(mapped.summary === undefined).toBe(Object.keys(byField).length === 0);
    expect(mapped.formError === undefined).toBe(Object.keys(byField).length > 0);
  });

  test.each([
    ['one entry', [['/a b', 'is odd']], 'a b is odd'],
    [
      'two entries',
      [
        ['/a b', 'is odd'],
        ['/x~1-', 'is odd'],
      ],
      'a b is odd; x/- is odd',
    ],
    ['the whole body', [['', 'must be fewer']], 'Must be fewer'],
  ] as const)('names the entry when one field contains the whole body: %s', (_title, errors, labels) => {
    const mapped = mapFieldErrors(rejectedError(errors), key => ({ name: 'labels', entry: key }));
    expect(mapped.byField).toEqual({ labels });
    expect(remainingErrors(mapped.summary)).toEqual([]);
  });

  test('shows an invalid name at its field', () => {
    expect(mapFieldErrors(rejectedError([], 'invalid_name'), ['name'])).toEqual({
      byField: { name: 'Use 1 to 128 letters, digits, _ or -. Spaces are not allowed.' },
      summary: undefined,
      formError: undefined,
    });
  });

  test('returns other errors as the form error', () => {
    const failure = new Error('gone');
    expect(mapFieldErrors(failure, ['url'])).toEqual({ byField: {}, summary: undefined, formError: failure });
    expect(mapFieldErrors(undefined, ['url'])).toEqual({
      byField: {},
      summary: undefined,
      formError: undefined,
    });
  });
});
