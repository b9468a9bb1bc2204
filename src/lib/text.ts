export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const listSome = (names: readonly string[], limit = 10): string =>
  names.length <= limit ? names.join(', ') : `${names.slice(0, limit).join(', ')} and ${names.length - limit} more`;

/** `GET, PUT or DELETE`. */
export const formatOrList = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(text => text !== '').join(' or ');

/** As in a URL, with brackets around an IPv6 address. */
export const formatHostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Quotes a word for a POSIX shell. Other shells may interpret it differently. */
export function shellQuote(word: string): string {
  if (word.includes('\0')) throw new Error('a command argument cannot contain a NUL byte');
  return `'${word.replaceAll("'", "'\\''")}'`;
}
