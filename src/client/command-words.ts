// A command as people see and write it. There is no shell on a host's side: a command is a list of words.

const NEEDS_NO_QUOTES = /^[\w@%+=:,./<>-]+$/;

/** A word as somebody would type it into a shell. */
export const typedWord = (word: string): string =>
  NEEDS_NO_QUOTES.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command as somebody would type it into a shell. */
export const typedCommand = (argv: readonly string[]): string => argv.map(typedWord).join(' ');

/** What somebody has written for a command: words, or a JSON list where spaces are inside of them. `undefined`: it is neither. */
export function readCommand(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return text.split(/\s+/).filter(word => word !== '');
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every(word => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}

/** What `readCommand` reads as these words. */
export const commandText = (argv: readonly string[]): string =>
  argv.every(word => /^[^\s[]\S*$/.test(word)) ? argv.join(' ') : JSON.stringify(argv);
