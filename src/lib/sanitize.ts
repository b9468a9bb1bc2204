/**
 * Controls, escape sequences' first characters, marks that turn the direction of text, breaks of lines, letters and signs that nobody
 * draws (`DI`: Default_Ignorable_Code_Point): whatever is not seen as itself.
 */
const INVISIBLE_CLASS = '[\\p{C}\\p{Zl}\\p{Zp}\\p{DI}]';
const INVISIBLE = new RegExp(INVISIBLE_CLASS, 'gu');
/** Breaks of lines and tabs are seen as what they are. */
const INVISIBLE_IN_LINES = new RegExp(`(?![\\n\\t])${INVISIBLE_CLASS}`, 'gu');
const SPACE_OR_INVISIBLE = new RegExp(`\\s|${INVISIBLE_CLASS}`, 'u');
/** Most text has none of them, which is found out in a tenth of the time. */
const NON_ASCII = /[^\n\t\x20-\x7e]/;

/** Far longer than any sentence of the service. */
export const MAX_MESSAGE_LENGTH = 2000;

/** What somebody else said, so that it can be put into a log, a terminal or a page: one line, bounded, of characters that are seen. */
export function sanitizeLine(text: string | Uint8Array, maxLength = 200): string {
  const decoded = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  const line = decoded
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}

/** The same of many lines, which stay lines. */
export const sanitizeText = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('utf8').replace(/\r\n?/g, '\n').replace(INVISIBLE_IN_LINES, '');

/** What is not seen in a text written as something else, such as `\\x1b`, so that it is. Breaks of lines and tabs stay. */
export const escapeInvisible = (text: string, escapeCharacter: (invisible: string) => string): string =>
  NON_ASCII.test(text) ? text.replace(INVISIBLE_IN_LINES, escapeCharacter) : text;

const jsonEscape = (invisible: string) =>
  Array.from(
    { length: invisible.length },
    (_, at) => `\\u${invisible.charCodeAt(at).toString(16).padStart(4, '0')}`,
  );

/** JSON that says the same to programs, and does nothing to the terminal of a person who looks at it. */
export const escapeInvisibleJson = (json: string): string =>
  escapeInvisible(json, invisible => jsonEscape(invisible).join(''));

/** Whether all of it is seen, in one piece: no space, and nothing hidden. */
export const isVisibleWord = (text: string): boolean => !SPACE_OR_INVISIBLE.test(text);

/** Where the last line is looked for: who says nothing for longer has nothing to say. */
const MAX_SCANNED_BYTES = 16_384;

/** The last line that says something, made harmless: commands say why they failed at the end. */
export function lastLine(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes.subarray(-MAX_SCANNED_BYTES))
    .toString('utf8')
    .split(/[\r\n]/);
  return lines.map(line => sanitizeLine(line)).findLast(Boolean) ?? '';
}
