// Files that a user names. An error says what the file must contain. It contains nothing of the content, which can be a secret.

import { readFileSync } from 'node:fs';
import { errorCode } from '../lib/errors/error-code.ts';
import { isRecord } from '../lib/is-record.ts';
import { usageProblem } from './cli-problem.ts';
import type { Terminal } from './terminal.ts';

const READ_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be read: permission denied',
  EISDIR: 'is a directory',
  ENOENT: 'does not exist',
};

/** `what` is what it should hold, as in "a private key". */
export function readFileBytes(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = errorCode(error);
    throw usageProblem(`${file} ${READ_ERRORS[code] ?? `cannot be read (${code})`}. Use a file with ${what}`);
  }
}

export const readTextFile = (file: string, what: string): string =>
  readFileBytes(file, what).toString('utf8');

/** `-` is the standard input. */
export const readFileOrInput = async (
  file: string,
  terminal: Pick<Terminal, 'readInput'>,
  what: string,
): Promise<string> => (file === '-' ? terminal.readInput() : readTextFile(file, what));

/** As it is called in a sentence. */
export const sourceName = (file: string): string => (file === '-' ? 'stdin' : file);

function lineOf(error: unknown): string {
  const [start]: readonly unknown[] =
    isRecord(error) && Array.isArray(error['linePos']) ? error['linePos'] : [];
  return isRecord(start) ? ` (line ${start['line']})` : '';
}

export async function parseYaml(text: string, where: string): Promise<unknown> {
  try {
    return (await import('yaml')).parse(text);
  } catch (error) {
    throw usageProblem(`invalid YAML in ${where}${lineOf(error)}`);
  }
}

export interface YamlWish {
  /** What it should hold, as in "a policy". */
  readonly what: string;
  readonly example: string;
}

/** Fields and values in YAML, or in JSON, which is YAML too. */
export async function readYamlObject(
  file: string,
  terminal: Pick<Terminal, 'readInput'>,
  { what, example }: YamlWish,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFileOrInput(file, terminal, what);
  const value = (await parseYaml(text, sourceName(file))) ?? {};
  if (isRecord(value)) return value;
  throw usageProblem(`${sourceName(file)} does not contain ${what}, for example: ${example}`);
}
