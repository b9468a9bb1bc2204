/**
 * Controls, escape sequences' first characters, marks that turn the direction of text, breaks of lines, letters and signs that nobody
 * draws (`DI`: Default_Ignorable_Code_Point): whatever is not seen as itself.
 */
const UNSEEN_CLASS = '[\\p{C}\\p{Zl}\\p{Zp}\\p{DI}]';
const UNSEEN = new RegExp(UNSEEN_CLASS, 'gu');
/** Breaks of lines and tabs are seen as what they are. */
const UNSEEN_IN_LINES = new RegExp(`(?![\\n\\t])${UNSEEN_CLASS}`, 'gu');
const WHITE_OR_UNSEEN = new RegExp(`\\s|${UNSEEN_CLASS}`, 'u');
/** Most text has none of them, which is found out in a tenth of the time. */
const BEYOND_ASCII = /[^\n\t\x20-\x7e]/;

/** Far longer than any sentence of the service. */
export const LONGEST_SENTENCE = 2000;

/** What somebody else said, so that it can be put into a log, a terminal or a page: one line, bounded, of characters that are seen. */
export function harmless(text: string | Uint8Array, maxLength = 200): string {
  const words = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  const line = words
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}

/** The same of many lines, which stay lines. */
export const harmlessText = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('utf8').replace(/\r\n?/g, '\n').replace(UNSEEN_IN_LINES, '');

/** What is not seen in a text written as something else, such as `\\x1b`, so that it is. Breaks of lines and tabs stay. */
export const showUnseen = (text: string, shown: (unseen: string) => string): string =>
  BEYOND_ASCII.test(text) ? text.replace(UNSEEN_IN_LINES, shown) : text;

const jsonEscape = (unseen: string) =>
  Array.from(
    { length: unseen.length },
    (_, at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`,
  );

/** JSON that says the same to programs, and does nothing to the terminal of a person who looks at it. */
export const seenJson = (json: string): string => showUnseen(json, unseen => jsonEscape(unseen).join(''));

/** Whether all of it is seen, in one piece: no space, and nothing hidden. */
export const isSeenWord = (text: string): boolean => !WHITE_OR_UNSEEN.test(text);

/** Where the last line is looked for: who says nothing for longer has nothing to say. */
const LAST_BYTES = 16_384;

/** The last line that says something, made harmless: commands say why they failed at the end. */
export function lastLine(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes.subarray(-LAST_BYTES))
    .toString('utf8')
    .split(/[\r\n]/);
  return lines.map(line => harmless(line)).findLast(Boolean) ?? '';
}
