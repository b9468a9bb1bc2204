import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { parseAddressPage, parseNamePage, toListResult } from './pagination.ts';
import { SerializedJson } from './serialized-json.ts';

describe('a page', () => {
  test('of names begins after a name', () => {
    expect(parseNamePage({ limit: 5, after: 'web-1' })).toEqual({ limit: 5, after: 'web-1' });
  });

  test('of addresses begins after an address, in whatever form it is written', () => {
    expect(parseAddressPage({ limit: 5, after: '2001:DB8:0::1' })).toEqual({
      limit: 5,
      after: '2001:db8::1',
    });
  });

  test.each([
    ['names', parseNamePage],
    ['addresses', parseAddressPage],
  ])('of %s without query is the whole list', (_what, parsePage) => {
    const page = parsePage({});
    expect(page).not.toBeInstanceOf(AppError);
    expect(page).toEqual({});
  });

  test.each([
    ['a name', parseNamePage({ after: 'no name' })],
    ['a name, which is not empty', parseNamePage({ after: '' })],
    ['an address', parseAddressPage({ after: 'web-1' })],
  ])('begins after %s, or is refused', (_what, error) => {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'invalid_query', errors: [{ path: '/after' }] });
  });
});

describe('the answer with a list', () => {
  const toResult = (url: string, items: readonly string[], hasMore: boolean) =>
    toListResult(
      url,
      { items, hasMore },
      item => item,
      item => JSON.stringify(item.toUpperCase()),
    );

  test('has no link when nothing comes after it', () => {
    expect(toResult('/hosts?limit=2', ['a', 'b'], false)).toEqual({
      body: SerializedJson.fromItems(['"A"', '"B"']),
    });
  });

  test('has no link when it is empty', () => {
    expect(toResult('/hosts', [], true)).toEqual({ body: SerializedJson.fromItems([]) });
  });

  test.each([
    ['the last entry', '/hosts?limit=2', '</hosts?limit=2&after=b>; rel="next"'],
    [
      'the last entry, instead of that of this page',
      '/hosts?after=a&limit=2',
      '</hosts?after=b&limit=2>; rel="next"',
    ],
    [
      'the same filters',
      '/hosts?status=active&limit=2',
      '</hosts?status=active&limit=2&after=b>; rel="next"',
    ],
    [
      'a filter that holds a question mark',
      '/hosts?q=a?b&limit=2',
      '</hosts?q=a%3Fb&limit=2&after=b>; rel="next"',
    ],
    [
      'nothing that ends the link early',
      '/hosts?q=>;x="&limit=2',
      '</hosts?q=%3E%3Bx%3D%22&limit=2&after=b>; rel="next"',
    ],
  ])('links to the next page with %s', (_what, url, link) => {
    expect(toResult(url, ['a', 'b'], true)).toEqual({
      body: SerializedJson.fromItems(['"A"', '"B"']),
      headers: { link },
    });
  });

  test('links with an address that is written as a query asks for it', () => {
    expect(toResult('/hosts?limit=1', ['2001:db8::1'], true).headers).toEqual({
      link: '</hosts?limit=1&after=2001%3Adb8%3A%3A1>; rel="next"',
    });
  });
});
