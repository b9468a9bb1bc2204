import type { Command } from 'commander';
import { isRecord } from '../../lib/json.ts';
import { collectValues } from '../actions.ts';
import { usageError } from '../errors.ts';
import { parseYaml, readTextFile, readYamlObject } from '../input/files.ts';
import { stripLineEnd } from '../input/prompts.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface OptionFlags {
  readonly option?: readonly string[];
  readonly options?: string;
  readonly optionFile?: readonly string[];
  readonly optionStdin?: string;
}

export const withDriverOptions = (command: Command): Command =>
  command
    .option('--option <key=value>', 'Driver option (repeatable)', collectValues)
    .option('--options <file>', 'File with driver options, YAML or JSON (`-` for stdin)')
    .option(
      '--option-file <key=file>',
      'Read a driver option, such as a secret, from a file (repeatable)',
      collectValues,
    )
    .option('--option-stdin <key>', 'Read a driver option, such as a secret, from stdin');

export function getOptionSchema(schema: unknown, key: string): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const property = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isRecord(property) ? property : {};
}

function parsePair(flag: string, text: string): readonly [string, string] {
  const index = text.indexOf('=');
  if (index < 1) throw usageError(`invalid value "${text}" of ${flag}: it must have the form key=value`);
  return [text.slice(0, index), text.slice(index + 1)];
}

const OPTIONS_FILE = { expected: 'a list of options', example: 'server_url: https://…' };

/** Parses a value as YAML, such as `true`, `7` or `{a: b}`, unless the option is a string or unknown. */
async function parseValue(key: string, text: string, schema: unknown): Promise<unknown> {
  const { type, anyOf } = getOptionSchema(schema, key);
  const isText = type === 'string' || (type === undefined && anyOf === undefined);
  return isText ? text : parseYaml(text, `option ${key}`);
}

async function parsePairs(pairs: readonly string[], schema: unknown): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const text of pairs) {
    const [key, valueText] = parsePair('--option', text);
    const { secret, type } = getOptionSchema(schema, key);
    if (secret === true)
      throw usageError(
        `${key} is a secret, and other users can see arguments. Use --option-file ${key}=FILE or --option-stdin ${key}`,
      );
    const value = await parseValue(key, valueText, schema);
    const isRepeated = Object.hasOwn(values, key);
    if (isRepeated && type !== 'array') throw usageError(`option ${key} is given twice`);
    values[key] = type === 'array' ? [values[key] ?? [], value].flat() : value;
  }
  return values;
}

/** Options on the command line override those in the file. */
export async function readDriverOptions(
  terminal: Terminal,
  { option = [], options, optionFile = [], optionStdin }: OptionFlags,
  schema: unknown,
): Promise<Record<string, unknown>> {
  if (options === '-' && optionStdin !== undefined)
    throw usageError('--options - and --option-stdin both read stdin: use only one of them');
  const files = optionFile.map(text => {
    const [key, file] = parsePair('--option-file', text);
    return [key, stripLineEnd(readTextFile(file, `the value of ${key}`))] as const;
  });
  return {
    ...(options !== undefined && (await readYamlObject(options, terminal, OPTIONS_FILE))),
    ...(await parsePairs(option, schema)),
    ...Object.fromEntries(files),
    ...(optionStdin !== undefined && { [optionStdin]: stripLineEnd(await terminal.readStdin()) }),
  };
}
