type Search = Readonly<Record<string, unknown>>;

/** What stands in the address bar, as the texts that they are: nothing of it is JSON. */
export const parseSearch = (search: string): Search => Object.fromEntries(new URLSearchParams(search));

export function stringifySearch(search: Search): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

/** The router gives pages also what was not read: here that is not there. */
export const strictSearch =
  <Parsed extends object>(parse: (search: Record<string, unknown>) => Parsed) =>
  (search: Record<string, unknown>): Parsed => ({
    ...Object.fromEntries(Object.keys(search).map(name => [name, undefined])),
    ...parse(search),
  });
