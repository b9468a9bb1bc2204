/** Parses the value of a search parameter. Undefined drops the parameter. */
type ParamParser<Value> = (value: unknown) => Value | undefined;

/** Accepts non-empty scalars. */
export const stringParam: ParamParser<string> = value => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

export const enumParam =
  <Value extends string>(values: readonly Value[]): ParamParser<Value> =>
  value =>
    values.find(candidate => candidate === stringParam(value));

type SearchParsers<Search> = { readonly [Name in keyof Search]: ParamParser<Search[Name]> };

export const searchParser =
  <Search extends object>(parsers: SearchParsers<Search>) =>
  (search: Readonly<Record<string, unknown>>): Readonly<Partial<Search>> => {
    const parsed: Partial<Search> = {};
    for (const name in parsers) {
      const value = parsers[name](search[name]);
      if (value !== undefined) parsed[name] = value;
    }
    return parsed;
  };
