/** `GET, PUT or DELETE`. */
export const orList = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(text => text !== '').join(' or ');
