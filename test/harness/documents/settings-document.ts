// The tables of docs/reference/configuration.md and docs/guides/host-sources.md.

import { hostSourceDrivers } from '../../../src/drivers/host-source/index.ts';
import {
  environmentName,
  flagName,
  settingKeys,
  settings,
} from '../../../src/server/configuration/settings.ts';
import { code, table } from './markdown-table.ts';

export const settingsTable = () =>
  table(
    ['key', 'environment variable', 'flag', 'default', 'meaning'],
    settingKeys.map(key => {
      const { help, default: standard, isSecret } = settings[key];
      return [
        code(key),
        code(environmentName(key)),
        isSecret ? 'none: it is a secret' : code(flagName(key)),
        standard === undefined ? 'none' : code(standard),
        `${help}.`,
      ];
    }),
  );

interface Option {
  readonly description?: string;
  readonly items?: Option;
}

export const sourcesTable = () =>
  table(
    ['type', 'option', 'required', 'meaning'],
    hostSourceDrivers.flatMap(({ type, options }) =>
      Object.entries<Option>(options.properties).map(([option, { description, items }]) => [
        code(type),
        code(option),
        options.required?.includes(option) ? 'yes' : '',
        description ?? items?.description ?? '',
      ]),
    ),
  );
