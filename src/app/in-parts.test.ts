import { expect, test } from 'vitest';
import { inParts } from './in-parts.ts';

const partsOf = (
  words: readonly string[],
  page: { readonly after?: string | undefined; readonly limit: number },
) =>
  inParts(
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
  const parts: (readonly string[])[] = [];
  for await (const part of partsOf(words, { after, limit: 2 })) parts.push(part);
  expect(parts).toEqual(expected);
});

test('others get their turn after each part, also after the last', async () => {
  const order: string[] = [];
  for await (const part of partsOf(['a', 'b'], { limit: 1 })) {
    order.push(...part);
    setImmediate(() => order.push('other'));
  }
  expect(order).toEqual(['a', 'other', 'b', 'other']);
});
