import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { parseAddressPage, parseNamePage, toListResult } from './pagination.ts';
import { SerializedJson } from './serialized-json.ts';

describe('page query', () => {
  test('a page of names starts after a name', () => {
    expect(parseNamePage({ limit: 5, after: 'web-1' })).toEqual({ limit: 5, after: 'web-1' });
  });

  test('a page of addresses starts after an address in any notation', () => {
    expect(parseAddressPage({ limit: 5, after: '2001:DB8:0::1' })).toEqual({
      limit: 5,
      after: '2001:db8::1',
    });
  });

  test.each([
    ['names', parseNamePage],
    ['addresses', parseAddressPage],
  ])('a page of %s without parameters is the whole list', (_case, parsePage) => {
    const page = parsePage({});
    expect(page).not.toBeInstanceOf(AppError);
    expect(page).toEqual({});
  });

  test.each([
    ['a name', parseNamePage({ after: 'no name' })],
    ['a non-empty name', parseNamePage({ after: '' })],
    ['an address', parseAddressPage({ after: 'web-1' })],
  ])('rejects a cursor that is not %s', (_case, error) => {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'invalid_query', errors: [{ path: '/after' }] });
  });
});

describe('toListResult', () => {
  const toResult = (url: string, items: readonly string[], hasMore: boolean) =>
    toListResult(
      url,
      { items, hasMore },
      item => item,
      item => JSON.stringify(item.toUpperCase()),
    );

  test('has no link on the last page', () => {
    expect(toResult('/hosts?limit=2', ['a', 'b'], false)).toEqual({
      body: SerializedJson.fromItems(['"A"', '"B"']),
    });
  });

  test('has no link if the list is empty', () => {
    expect(toResult('/hosts', [], true)).toEqual({ body: SerializedJson.fromItems([]) });
  });

  test.each([
    ['the last entry as cursor', '/hosts?limit=2', '</hosts?limit=2&after=b>; rel="next"'],
    ['the cursor of this page replaced', '/hosts?after=a&limit=2', '</hosts?after=b&limit=2>; rel="next"'],
    ['the same filters', '/hosts?status=active&limit=2', '</hosts?status=active&limit=2&after=b>; rel="next"'],
    ['an escaped question mark in a filter', '/hosts?q=a?b&limit=2', '</hosts?q=a%3Fb&limit=2&after=b>; rel="next"'],
    [
      'escaped characters that would end the link',
      '/hosts?q=>;x="&limit=2',
      '</hosts?q=%3E%3Bx%3D%22&limit=2&after=b>; rel="next"',
    ],
  ])('links to the next page with %s', (_case, url, link) => {
    expect(toResult(url, ['a', 'b'], true)).toEqual({
      body: SerializedJson.fromItems(['"A"', '"B"']),
      headers: { link },
    });
  });

  test('URL-encodes the address in the link', () => {
    expect(toResult('/hosts?limit=1', ['2001:db8::1'], true).headers).toEqual({
      link: '</hosts?limit=1&after=2001%3Adb8%3A%3A1>; rel="next"',
    });
  });
});
