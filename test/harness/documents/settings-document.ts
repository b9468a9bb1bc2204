// The tables of docs/reference/configuration.md and docs/guides/host-sources.md.

import { hostSourceDrivers } from '../../../src/drivers/host-source/index.ts';
import { settingKeys, settings } from '../../../src/server/configuration/settings.ts';
import { code, table } from './markdown-table.ts';

export const settingsTable = () =>
  table(
    ['Setting', 'Default', 'Meaning'],
    settingKeys.map(key => {
      const { help, default: standard, isSecret } = settings[key];
      return [
        code(key),
        standard === undefined ? 'none' : code(standard),
        `${help}.${isSecret ? ' Secret: there is no flag.' : ''}`,
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
