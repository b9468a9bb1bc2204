import { describe, expect, it } from 'vitest';
import { parseSearch, strictSearch, stringifySearch } from './search-params.ts';

describe('the search of the address bar', () => {
  it.each([
    ['?q=10', { q: '10' }],
    ['?q=%7B%22a%22%3A1%7D', { q: '{"a":1}' }],
    ['?q=true&host=::1', { q: 'true', host: '::1' }],
    ['', {}],
  ])('%s is read as texts', (search, read) => {
    expect(parseSearch(search)).toEqual(read);
  });

  it('is written without what is not given', () => {
    expect(stringifySearch({ q: 'a b', status: undefined, label: '' })).toBe('?q=a+b');
    expect(stringifySearch({ q: undefined })).toBe('');
  });

  it('has nothing that was not read', () => {
    const read = ({ kind }: Record<string, unknown>) => (kind === 'restart' ? { kind } : {});
    const search: { kind?: unknown; other?: unknown } = strictSearch(read)({ kind: 'nonsense', other: 1 });
    expect(search.kind).toBeUndefined();
    expect(search.other).toBeUndefined();
    expect(strictSearch(read)({ kind: 'restart' })).toEqual({ kind: 'restart' });
  });
});
