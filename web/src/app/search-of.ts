type Search = Readonly<Record<string, unknown>>;

/** What stands in the address bar, as the texts that they are: nothing of it is JSON. */
export const parseSearch = (search: string): Search => Object.fromEntries(new URLSearchParams(search));

export function stringifySearch(search: Search): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** The router gives pages also what was not read: here that is not there. */
export const only =
  <Read extends object>(read: (search: Record<string, unknown>) => Read) =>
  (search: Record<string, unknown>): Read => ({
    ...Object.fromEntries(Object.keys(search).map(name => [name, undefined])),
    ...read(search),
  });
