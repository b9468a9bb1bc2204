type Search = Readonly<Record<string, unknown>>;

/** Keeps every value as a string. The default parser of the router would parse JSON. */
export const parseSearch = (search: string): Search => Object.fromEntries(new URLSearchParams(search));

export function stringifySearch(search: Search): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

/** The router merges unvalidated parameters into the search of a page. This sets them to undefined. */
export const strictSearch =
  <Parsed extends object>(parse: (search: Record<string, unknown>) => Parsed) =>
  (search: Record<string, unknown>): Parsed => ({
    ...Object.fromEntries(Object.keys(search).map(name => [name, undefined])),
    ...parse(search),
  });
