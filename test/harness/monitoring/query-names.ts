/** Words of the query language itself, and what is a function in it. */
const WORDS = /^(by|without|on|ignoring|group_left|group_right|and|or|unless|bool|offset)$/;

/**
 * The names of metrics in a query: words that are not called, not a word of the language, not in brackets of a grouping, and not in
 * the braces of a selector.
 */
export function metricsIn(query: string): readonly string[] {
  const bare = query
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const words = [...bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*/g)];
  const isCalled = (at: number, word: string) => /^\s*\(/.test(bare.slice(at + word.length));
  return [
    ...new Set(
      words.filter(({ index, 0: word }) => !WORDS.test(word) && !isCalled(index, word)).map(([word]) => word),
    ),
  ];
}
