export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const MAX_LISTED = 10;

/** Some of many names or addresses, for a message. */
export const listSome = (names: readonly string[], limit = MAX_LISTED): string =>
  names.length <= limit
    ? names.join(', ')
    : `${names.slice(0, limit).join(', ')} and ${names.length - limit} more`;

/** `GET, PUT or DELETE`. */
export const formatOrList = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(text => text !== '').join(' or ');

/** As in a URL, where an address of IPv6 stands in brackets. */
export const formatHostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** A word for `sh`, which reads it as it is. Other shells may read it otherwise. */
export function shellQuote(word: string): string {
  if (word.includes('\0')) throw new Error('a command argument cannot contain a NUL byte');
  return `'${word.replaceAll("'", "'\\''")}'`;
}
