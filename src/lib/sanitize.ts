/** `DI` is Default_Ignorable_Code_Point: characters without a glyph. */
const INVISIBLE_CLASS = '[\\p{C}\\p{Zl}\\p{Zp}\\p{DI}]';
const INVISIBLE = new RegExp(INVISIBLE_CLASS, 'gu');
const INVISIBLE_IN_LINES = new RegExp(`(?![\\n\\t])${INVISIBLE_CLASS}`, 'gu');
const SPACE_OR_INVISIBLE = new RegExp(`\\s|${INVISIBLE_CLASS}`, 'u');
/** Most text is plain ASCII; this test takes a tenth of the time of the full pattern. */
const NON_ASCII = /[^\n\t\x20-\x7e]/;

/** Much longer than any message of the service. */
export const MAX_MESSAGE_LENGTH = 2000;

/** Makes untrusted text safe for a log, a terminal or a page. */
export function sanitizeLine(text: string | Uint8Array, maxLength = 200): string {
  const decoded = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  const line = decoded
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}

/** Like `sanitizeLine`, but keeps line breaks and tabs. */
export const sanitizeText = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('utf8').replace(/\r\n?/g, '\n').replace(INVISIBLE_IN_LINES, '');

export const escapeInvisible = (text: string, escapeCharacter: (invisible: string) => string): string =>
  NON_ASCII.test(text) ? text.replace(INVISIBLE_IN_LINES, escapeCharacter) : text;

const jsonEscape = (invisible: string) =>
  Array.from({ length: invisible.length }, (_, at) => `\\u${invisible.charCodeAt(at).toString(16).padStart(4, '0')}`);

/** The result is equivalent JSON that is safe to print on a terminal. */
export const escapeInvisibleJson = (json: string): string =>
  escapeInvisible(json, invisible => jsonEscape(invisible).join(''));

export const isVisibleWord = (text: string): boolean => !SPACE_OR_INVISIBLE.test(text);

const MAX_SCANNED_BYTES = 16_384;

/** Most commands report the cause of a failure in the last line with content. */
export function lastLine(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes.subarray(-MAX_SCANNED_BYTES))
    .toString('utf8')
    .split(/[\r\n]/);
  return lines.map(line => sanitizeLine(line)).findLast(Boolean) ?? '';
}
