// os-release(5): lines of KEY=value in the syntax of a shell, as far as that file uses it.

export interface OsRelease {
  readonly id: string;
  /** Those that it is like, the nearest first. */
  readonly idLike: readonly string[];
  readonly variantId: string;
}

/** What the specification says when there is no ID. */
const DEFAULT_ID = 'linux';

const ASSIGNMENT = /^\s*([A-Z][A-Z0-9_]*)=(.*)$/;

/** A value without its quotes and escapes; a shell ends it at a space outside of quotes. */
function unquote(text: string): string {
  let value = '';
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote === '' && /\s/.test(char)) break;
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === '\\' && quote !== "'" && at + 1 < text.length) {
      const next = text.charAt(++at);
      // Inside double quotes a backslash is itself, unless it escapes one of these.
      value += quote === '"' && !'"$`\\'.includes(next) ? char + next : next;
    } else value += char;
  }
  return value;
}

/** Only what an identifier may have; whatever else a host says is as good as nothing. */
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
  };
}
