// Exports only functions: the dashboard loads the other modules of the contract as data.

const VARIABLE = /\{(\w+)\}/g;

export const findPathVariables = (path: string): readonly string[] =>
  [...path.matchAll(VARIABLE)].map(([, name = '']) => name);

export const expandPath = (path: string, toText: (name: string) => string): string =>
  path.replace(VARIABLE, (_, name: string) => toText(name));
