/** For example `{address}` in `/api/v0/host/{address}`. */
const VARIABLE = /\{(\w+)\}/g;

/** The names of the variables in a path. */
export const variablesIn = (path: string): readonly string[] =>
  [...path.matchAll(VARIABLE)].map(([, name = '']) => name);

/** The path with a text in place of each variable. */
export const filledIn = (path: string, textOf: (name: string) => string): string =>
  path.replace(VARIABLE, (_, name: string) => textOf(name));
