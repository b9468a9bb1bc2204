// The dashboard loads modules of the contract as data, except those that export only functions, such as this one.

/** For example `{address}` in `/api/v0/host/{address}`. */
const VARIABLE = /\{(\w+)\}/g;

/** The names of the variables in a path. */
export const findPathVariables = (path: string): readonly string[] =>
  [...path.matchAll(VARIABLE)].map(([, name = '']) => name);

/** The path with a text in place of each variable. */
export const expandPath = (path: string, toText: (name: string) => string): string =>
  path.replace(VARIABLE, (_, name: string) => toText(name));
