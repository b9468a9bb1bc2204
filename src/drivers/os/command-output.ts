import type { CommandResult } from '../../domain/command.ts';
import { tryOr } from '../../lib/errors.ts';
import { getAtKeys } from '../../lib/json.ts';

const decoder = new TextDecoder();

export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Splits the output into lines without carriage returns. */
export const outputLines = ({ stdout }: CommandResult): readonly string[] => decodeText(stdout).split(/\r?\n/);

/** Values of the lines that start with this word. */
export const valuesOf = (lines: readonly string[], key: string): readonly string[] =>
  lines.filter(line => line.startsWith(`${key} `)).map(line => line.slice(key.length + 1));

// JSON output is untrusted: missing or unexpected values become empty strings.

/** Ignores text before and after the object. Returns `undefined` for invalid JSON. */
export function parseJson({ stdout }: CommandResult): unknown {
  const text = decodeText(stdout);
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start === -1 || end < start) return undefined;
  return tryOr(undefined, () => JSON.parse(text.slice(start, end + 1)));
}

export const valueAt = (value: unknown, ...keys: readonly string[]): unknown => getAtKeys(value, keys);

/** Versions, checksums and image references contain no spaces. */
export const isToken = (text: unknown): text is string => typeof text === 'string' && /^[\x21-\x7e]{1,512}$/.test(text);

export const stringAt = (value: unknown, ...keys: readonly string[]): string => {
  const found = valueAt(value, ...keys);
  return isToken(found) ? found : '';
};
