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
  ['of none', [], undefined, [[]]],
  ['of one part', ['a', 'b'], undefined, [['a', 'b']]],
  ['with a last part that is shorter', ['a', 'b', 'c'], undefined, [['a', 'b'], ['c']]],
  ['from somewhere on', ['a', 'b', 'c', 'd'], 'b', [['c', 'd']]],
])('a list is read to its end, part by part: %s', async (_what, words, after, expected) => {
  const pages: (readonly string[])[] = [];
  for await (const page of readWordPages(words, { after, limit: 2 })) pages.push(page);
  expect(pages).toEqual(expected);
});

test('others get their turn after each part, also after the last', async () => {
  const order: string[] = [];
  for await (const page of readWordPages(['a', 'b'], { limit: 1 })) {
    order.push(...page);
    setImmediate(() => order.push('other'));
  }
  expect(order).toEqual(['a', 'other', 'b', 'other']);
});
