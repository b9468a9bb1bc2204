import { expect, test } from 'vitest';
import { readPages } from './pagination.ts';

const readWordPages = (
  words: readonly string[],
  page: { readonly after?: string | undefined; readonly limit: number },
) =>
  readPages(
    async ({ after = '', limit }) => {
      const rest = words.filter(word => word > after);
      return { items: rest.slice(0, limit), hasMore: rest.length > limit };
    },
    word => word,
    page,
  );

test.each([
  ['an empty list', [], undefined, [[]]],
  ['a single page', ['a', 'b'], undefined, [['a', 'b']]],
  ['a shorter last page', ['a', 'b', 'c'], undefined, [['a', 'b'], ['c']]],
  ['from a cursor', ['a', 'b', 'c', 'd'], 'b', [['c', 'd']]],
])('readPages reads %s', async (_case, words, after, expected) => {
  const pages: (readonly string[])[] = [];
  for await (const page of readWordPages(words, { after, limit: 2 })) pages.push(page);
  expect(pages).toEqual(expected);
});

test('readPages yields to the event loop after each page, including the last', async () => {
  const order: string[] = [];
  for await (const page of readWordPages(['a', 'b'], { limit: 1 })) {
    order.push(...page);
    setImmediate(() => order.push('other'));
  }
  expect(order).toEqual(['a', 'other', 'b', 'other']);
});
