// A command as people see and write it. It is a list of words, which no shell reads.

/** `<` and `>` are around what is not known yet, as in `<boot id>`: such a command is to be read, not to be run. */
const NEEDS_NO_QUOTES = /^[\w@%+=:,./<>-]+$/;

/** A word of a command as people see it: quotes show where it begins and ends. */
const shownWord = (word: string): string =>
  NEEDS_NO_QUOTES.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command as people see it. */
export const shownCommand = (argv: readonly string[]): string => argv.map(shownWord).join(' ');

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
