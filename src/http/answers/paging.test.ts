import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { answerList, pageOfAddresses, pageOfNames } from './paging.ts';
import { ReadyJson } from './ready-json.ts';

describe('a page', () => {
  test('of names begins after a name', () => {
    expect(pageOfNames({ limit: 5, after: 'web-1' })).toEqual({ limit: 5, after: 'web-1' });
  });

  test('of addresses begins after an address, in whatever form it is written', () => {
    expect(pageOfAddresses({ limit: 5, after: '2001:DB8:0::1' })).toEqual({ limit: 5, after: '2001:db8::1' });
  });

  test.each([
    ['names', pageOfNames],
    ['addresses', pageOfAddresses],
  ])('of %s without query is the whole list', (_what, pageOf) => {
    const page = pageOf({});
    expect(page).not.toBeInstanceOf(AppError);
    expect(page).toEqual({});
  });

  test.each([
    ['a name', pageOfNames({ after: 'no name' })],
    ['a name, which is not empty', pageOfNames({ after: '' })],
    ['an address', pageOfAddresses({ after: 'web-1' })],
  ])('begins after %s, or is refused', (_what, refusal) => {
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'invalid_query', errors: [{ path: '/after' }] });
  });
});

describe('the answer with a list', () => {
  const answer = (url: string, items: readonly string[], hasMore: boolean) =>
    answerList(
      url,
      { items, hasMore },
      item => item,
      item => JSON.stringify(item.toUpperCase()),
    );

  test('has no link when nothing comes after it', () => {
    expect(answer('/hosts?limit=2', ['a', 'b'], false)).toEqual({ body: ReadyJson.list(['"A"', '"B"']) });
  });

  test('has no link when it is empty', () => {
    expect(answer('/hosts', [], true)).toEqual({ body: ReadyJson.list([]) });
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
    expect(answer(url, ['a', 'b'], true)).toEqual({
      body: ReadyJson.list(['"A"', '"B"']),
      headers: { link },
    });
  });

  test('links with an address that is written as a query asks for it', () => {
    expect(answer('/hosts?limit=1', ['2001:db8::1'], true).headers).toEqual({
      link: '</hosts?limit=1&after=2001%3Adb8%3A%3A1>; rel="next"',
    });
  });
});
