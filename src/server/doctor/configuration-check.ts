import { unknownVariables } from '../configuration/config.ts';
import type { Check, Premises } from './check.ts';
import { ok, problem, warning } from './check.ts';

export const configurationCheck: Check = {
  name: 'configuration',
  settings: [],
  find: async ({ read, sources }: Premises) => {
    const strays = unknownVariables(sources.environment);
    const found = [
      ...read.problems.map(problem),
      ...strays.map(name => warning(`${name}: unknown setting; see hostler serve --help`)),
    ];
    return found.length > 0 ? found : [ok('all settings are valid')];
  },
};
