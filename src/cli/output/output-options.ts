// The option `--output`: a format, or a JSONPath query that selects values.

import { errorMessage } from '../../lib/errors.ts';
import { usageError } from '../errors.ts';

export const FORMATS = ['table', 'wide', 'json', 'yaml', 'name'] as const;
type NamedFormat = (typeof FORMATS)[number];

type Select = (value: unknown) => readonly unknown[];

export type OutputFormat = { readonly name: NamedFormat } | { readonly name: 'jsonpath'; readonly select: Select };

const JSONPATH = 'jsonpath=';
const EXAMPLE = `jsonpath='$[*].address'`;

const isNamedFormat = (text: string): text is NamedFormat => FORMATS.some(format => format === text);

/** Returns the text unchanged if it is valid. */
export function parseOutputOption(text: string): string {
  if (isNamedFormat(text) || (text.startsWith(JSONPATH) && text.length > JSONPATH.length)) return text;
  throw usageError(
    `unknown output format '${text}'. The formats are ${FORMATS.join(', ')}, and for example ${EXAMPLE}`,
  );
}

/** Rejects an invalid query before the command sends a request. */
async function compileQuery(query: string): Promise<Select> {
  // Imported on demand, because it is seldom needed.
  const { compile } = await import('json-p3');
  try {
    const compiled = compile(query);
    return value => compiled.query(JSON.parse(JSON.stringify(value))).values();
  } catch (error) {
    throw usageError(`invalid JSONPath query '${query}': ${errorMessage(error)}. An example: -o ${EXAMPLE}`);
  }
}

export async function readOutputFormat(text: string): Promise<OutputFormat> {
  if (isNamedFormat(text)) return { name: text };
  return { name: 'jsonpath', select: await compileQuery(text.slice(JSONPATH.length)) };
}
