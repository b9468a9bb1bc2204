import { sanitizeLine } from '../../lib/sanitize.ts';

export interface OsRelease {
  readonly id: string;
  readonly idLike: readonly string[];
  readonly variantId: string;
  /** The name and version for people. */
  readonly prettyName: string;
}

const DEFAULT_ID = 'linux';
const MAX_NAME_LENGTH = 100;

const ASSIGNMENT = /^\s*([A-Z][A-Z0-9_]*)=(.*)$/;

/** Removes quotes and escapes. An unquoted space ends the value. */
function unquote(text: string): string {
  let value = '';
  let quote = '';
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (quote === '' && /\s/.test(char)) break;
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === '\\' && quote !== "'" && index + 1 < text.length) {
      const next = text.charAt(++index);
      // Inside double quotes, a backslash escapes only these characters.
      value += quote === '"' && !'"$`\\'.includes(next) ? char + next : next;
    } else value += char;
  }
  return value;
}

/** Other characters are invalid and make the value empty. */
const identifier = (text: string | undefined): string =>
  text !== undefined && /^[a-z0-9._-]{1,64}$/.test(text) ? text : '';

export function parseOsRelease(lines: readonly string[]): OsRelease {
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = ASSIGNMENT.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values.set(key, unquote(value));
  }
  const like = (values.get('ID_LIKE') ?? '').split(/\s+/).slice(0, 16);
  return {
    id: identifier(values.get('ID')) || DEFAULT_ID,
    idLike: like.map(identifier).filter(id => id !== ''),
    variantId: identifier(values.get('VARIANT_ID')),
    prettyName: sanitizeLine(values.get('PRETTY_NAME') ?? '', MAX_NAME_LENGTH),
  };
}
