/** As in `/api/v0/host/{address}`. */
const VARIABLE = /\{(\w+)\}/g;

/** What a row's path leaves open, by name. */
export const variablesIn = (path: string): readonly string[] =>
  [...path.matchAll(VARIABLE)].map(([, name = '']) => name);

/** A row's path with a text in the place of each variable. */
export const filledIn = (path: string, textOf: (name: string) => string): string =>
  path.replace(VARIABLE, (_, name: string) => textOf(name));
