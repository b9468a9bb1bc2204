// The host sources of the configuration: `sources: [{ name, type, refresh_s, … }]`. What else an entry has is for the schema of its type.

import Type from 'typebox';
import { NAME_MESSAGE, NAME_PATTERN } from '../../domain/vocabulary.ts';
import type { HostSourceDriver } from '../../drivers/host-source/host-source.ts';
import { schemaParser } from '../../integrations/http/schema-parser.ts';
import { compileSchema } from '../../lib/schema.ts';
import type { BadValue, SourceEntry } from './setting-values.ts';

const DEFAULT_REFRESH_S = 300;
const [SHORTEST_S, LONGEST_S] = [5, 86_400];

const Common = Type.Object({
  name: Type.String({ pattern: `^${NAME_PATTERN}$`, rule: NAME_MESSAGE }),
  type: Type.String(),
  refresh_s: Type.Optional(Type.Integer({ minimum: SHORTEST_S, maximum: LONGEST_S })),
});

const readCommon = schemaParser('a host source of the configuration', Common);

type Problems = BadValue['problems'];

/** `/fields/os` as it stands in a configuration: `.fields.os`. */
const placeOf = (index: number, pointer: string) =>
  `[${index}]${pointer.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}`;

const optionsOf = ({ name: _, type: __, refresh_s: ___, ...options }: SourceEntry) => options;

function problemsOf(entry: SourceEntry, index: number, drivers: readonly HostSourceDriver[]): Problems {
  const driver = drivers.find(({ type }) => type === entry['type']);
  const type = Type.Enum(drivers.map(each => each.type));
  const common = compileSchema(Type.Object({ ...Common.properties, type }))(entry);
  // Of the options of a type that is not known nothing can be said.
  const special = driver ? compileSchema(driver.options)(optionsOf(entry)) : [];
  return [...common, ...special].map(({ path, message }) => ({ at: placeOf(index, path), message }));
}

/** All that is wrong with them, by the schemas of their types. */
export function sourceProblems(
  entries: readonly SourceEntry[],
  drivers: readonly HostSourceDriver[],
): Problems {
  const names = entries.map(entry => entry['name']);
  return entries.flatMap((entry, index) => [
    ...problemsOf(entry, index, drivers),
    ...(typeof names[index] === 'string' && names.indexOf(names[index]) < index
      ? [{ at: placeOf(index, '/name'), message: 'is already the name of another source' }]
      : []),
  ]);
}

/** A host source as the configuration has it. */
export interface SourceSetting {
  readonly name: string;
  readonly type: string;
  readonly refreshS: number;
  readonly options: Readonly<Record<string, unknown>>;
}

export function sourceSetting(entry: SourceEntry): SourceSetting {
  const { name, type, refresh_s: refreshS = DEFAULT_REFRESH_S } = readCommon(entry);
  return { name, type, refreshS, options: optionsOf(entry) };
}
