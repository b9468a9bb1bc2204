// Errors say what a file must contain, and never quote its content, which can be a secret.

import { readFileSync } from 'node:fs';
import { errorCode } from '../../lib/errors.ts';
import { isRecord } from '../../lib/json.ts';
import { usageError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

const READ_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be read: permission denied',
  EISDIR: 'is a directory',
  ENOENT: 'does not exist',
};

/** `expected` describes the content, as in "a private key". */
export function readFileBytes(file: string, expected: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = errorCode(error);
    throw usageError(`${file} ${READ_ERRORS[code] ?? `cannot be read (${code})`}. Use a file with ${expected}`);
  }
}

export const readTextFile = (file: string, expected: string): string => readFileBytes(file, expected).toString('utf8');

/** `-` is stdin. */
export const readFileOrStdin = async (
  file: string,
  terminal: Pick<Terminal, 'readStdin'>,
  expected: string,
): Promise<string> => (file === '-' ? terminal.readStdin() : readTextFile(file, expected));

export const toFileLabel = (file: string): string => (file === '-' ? 'stdin' : file);

function formatLine(error: unknown): string {
  const [start]: readonly unknown[] = isRecord(error) && Array.isArray(error['linePos']) ? error['linePos'] : [];
  return isRecord(start) ? ` (line ${start['line']})` : '';
}

export async function parseYaml(text: string, source: string): Promise<unknown> {
  try {
    return (await import('yaml')).parse(text);
  } catch (error) {
    throw usageError(`invalid YAML in ${source}${formatLine(error)}`);
  }
}

export async function readYamlObject(
  file: string,
  terminal: Pick<Terminal, 'readStdin'>,
  { expected, example }: { readonly expected: string; readonly example: string },
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFileOrStdin(file, terminal, expected);
  const value = (await parseYaml(text, toFileLabel(file))) ?? {};
  if (isRecord(value)) return value;
  throw usageError(`${toFileLabel(file)} does not contain ${expected}, for example: ${example}`);
}
