/** Controls, escape sequences' first characters, marks that turn the direction of text, breaks of lines: whatever is not seen as itself. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Breaks of lines and tabs are seen as what they are. */
const UNSEEN_IN_LINES = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;

/** Far longer than any sentence of the service. */
export const LONGEST_SENTENCE = 2000;

/** What somebody else said, so that it can be put into a log, a terminal or a page: one line, bounded, of characters that are seen. */
export function harmless(text: string | Uint8Array, maxLength = 200): string {
  const words = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  const line = words
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(UNSEEN, '')
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}

/** The same of many lines, which stay lines. */
export const harmlessText = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('utf8').replace(/\r\n?/g, '\n').replace(UNSEEN_IN_LINES, '');

/** The last line that says something, made harmless: commands say why they failed at the end. */
export function lastLine(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('utf8')
    .split(/[\r\n]/);
  return lines.map(line => harmless(line)).findLast(Boolean) ?? '';
}
