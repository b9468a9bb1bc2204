// Validates `sources: [{ name, type, refresh_s, … }]`. The driver of the type defines the other fields of an entry.

import Type from 'typebox';
import { NAME_MESSAGE, NAME_PATTERN } from '../../domain/vocabulary.ts';
import type { HostSourceDriver } from '../../drivers/host-source/host-source.ts';
import { schemaParser } from '../../integrations/http/schema-parser.ts';
import { compileSchema } from '../../lib/schema.ts';
import type { InvalidSettingError, SourceEntry } from './setting.ts';

const DEFAULT_REFRESH_S = 300;
const [MIN_REFRESH_S, MAX_REFRESH_S] = [5, 86_400];

const CommonFields = Type.Object({
  name: Type.String({ pattern: `^${NAME_PATTERN}$`, rule: NAME_MESSAGE }),
  type: Type.String(),
  refresh_s: Type.Optional(Type.Integer({ minimum: MIN_REFRESH_S, maximum: MAX_REFRESH_S })),
});

const parseCommonFields = schemaParser('a host source of the configuration', CommonFields);

type SettingErrors = InvalidSettingError['errors'];

/** Converts a JSON pointer: `/fields/os` becomes `.fields.os`. */
const toSettingPath = (index: number, pointer: string) =>
  `[${index}]${pointer.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}`;

const getDriverOptions = ({ name: _, type: __, refresh_s: ___, ...options }: SourceEntry) => options;

function validateSource(entry: SourceEntry, index: number, drivers: readonly HostSourceDriver[]): SettingErrors {
  const driver = drivers.find(({ type }) => type === entry['type']);
  const type = Type.Enum(drivers.map(each => each.type));
  const commonErrors = compileSchema(Type.Object({ ...CommonFields.properties, type }))(entry);
  // The options of an unknown type cannot be validated.
  const optionErrors = driver ? compileSchema(driver.options)(getDriverOptions(entry)) : [];
  return [...commonErrors, ...optionErrors].map(({ path, message }) => ({
    settingPath: toSettingPath(index, path),
    message,
  }));
}

export function validateSources(entries: readonly SourceEntry[], drivers: readonly HostSourceDriver[]): SettingErrors {
  const names = entries.map(entry => entry['name']);
  return entries.flatMap((entry, index) => [
    ...validateSource(entry, index, drivers),
    ...(typeof names[index] === 'string' && names.indexOf(names[index]) < index
      ? [{ settingPath: toSettingPath(index, '/name'), message: 'is already the name of another source' }]
      : []),
  ]);
}

export interface SourceSetting {
  readonly name: string;
  readonly type: string;
  readonly refreshS: number;
  readonly options: Readonly<Record<string, unknown>>;
}

export function toSourceSetting(entry: SourceEntry): SourceSetting {
  const { name, type, refresh_s: refreshS = DEFAULT_REFRESH_S } = parseCommonFields(entry);
  return { name, type, refreshS, options: getDriverOptions(entry) };
}
