import { describe, expect, test } from 'vitest';
import { parseSearch, strictSearch, stringifySearch } from './search-params.ts';

describe('search parameters', () => {
  test.each([
    ['?q=10', { q: '10' }],
    ['?q=%7B%22a%22%3A1%7D', { q: '{"a":1}' }],
    ['?q=true&host=::1', { q: 'true', host: '::1' }],
    ['', {}],
  ])('parses %s into strings', (search, read) => {
    expect(parseSearch(search)).toEqual(read);
  });

  test('stringifySearch omits undefined and empty values', () => {
    expect(stringifySearch({ q: 'a b', status: undefined, label: '' })).toBe('?q=a+b');
    expect(stringifySearch({ q: undefined })).toBe('');
  });

  test('strictSearch removes parameters that the page does not parse', () => {
    const read = ({ kind }: Record<string, unknown>) => (kind === 'restart' ? { kind } : {});
    const search: { kind?: unknown; other?: unknown } = strictSearch(read)({ kind: 'nonsense', other: 1 });
    expect(search.kind).toBeUndefined();
    expect(search.other).toBeUndefined();
    expect(strictSearch(read)({ kind: 'restart' })).toEqual({ kind: 'restart' });
  });
});
