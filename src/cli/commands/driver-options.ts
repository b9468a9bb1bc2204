import type { Command } from 'commander';
import { isRecord } from '../../lib/is-record.ts';
import { usageProblem } from '../cli-problem.ts';
import { several } from '../command-line.ts';
import { parseYaml, readTextFile, readYamlObject } from '../read-file.ts';
import { withoutLineEnd } from '../read-secret.ts';
import type { Terminal } from '../terminal.ts';

/** The flags for driver options. */
export interface OptionFlags {
  readonly option?: readonly string[];
  readonly options?: string;
  readonly optionFile?: readonly string[];
  readonly optionStdin?: string;
}

export const withDriverOptions = (command: Command): Command =>
  command
    .option('--option <key=value>', 'Driver option (repeatable)', several)
    .option('--options <file>', 'File with driver options, YAML or JSON (`-` for stdin)')
    .option(
      '--option-file <key=file>',
      'Read a driver option, such as a secret, from a file (repeatable)',
      several,
    )
    .option('--option-stdin <key>', 'Read a driver option, such as a secret, from stdin');

/** What the schema of a driver's options says of one of them. */
export function optionSchema(schema: unknown, key: string): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const found = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isRecord(found) ? found : {};
}

function pair(flag: string, text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageProblem(`invalid value "${text}" of ${flag}: it must have the form key=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

const OPTIONS_FILE = { what: 'a list of options', example: 'server_url: https://…' };

/** Text stays text where the driver wants text, or is not known; elsewhere `true`, `7` and `{a: b}` are what they are in YAML. */
async function readValue(key: string, text: string, schema: unknown): Promise<unknown> {
  const { type, anyOf } = optionSchema(schema, key);
  const isText = type === 'string' || (type === undefined && anyOf === undefined);
  return isText ? text : parseYaml(text, `option ${key}`);
}

async function fromPairs(pairs: readonly string[], schema: unknown): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const each of pairs) {
    const [key, text] = pair('--option', each);
    const { secret, type } = optionSchema(schema, key);
    if (secret === true)
      throw usageProblem(
        `${key} is a secret, and other users can see arguments. Use --option-file ${key}=FILE or --option-stdin ${key}`,
      );
    const value = await readValue(key, text, schema);
    const isTwice = Object.hasOwn(values, key);
    if (isTwice && type !== 'array') throw usageProblem(`option ${key} is given twice`);
    values[key] = type === 'array' ? [values[key] ?? [], value].flat() : value;
  }
  return values;
}

/** All of them together; what is said one by one counts before the file. */
export async function readDriverOptions(
  terminal: Terminal,
  { option = [], options, optionFile = [], optionStdin }: OptionFlags,
  schema: unknown,
): Promise<Record<string, unknown>> {
  if (options === '-' && optionStdin !== undefined)
    throw usageProblem('--options - and --option-stdin both read stdin: use only one of them');
  const files = optionFile.map(each => {
    const [key, file] = pair('--option-file', each);
    return [key, withoutLineEnd(readTextFile(file, `the value of ${key}`))] as const;
  });
  return {
    ...(options !== undefined && (await readYamlObject(options, terminal, OPTIONS_FILE))),
    ...(await fromPairs(option, schema)),
    ...Object.fromEntries(files),
    ...(optionStdin !== undefined && { [optionStdin]: withoutLineEnd(await terminal.readInput()) }),
  };
}
