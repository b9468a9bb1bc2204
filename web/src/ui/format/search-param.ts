/** A text of the address bar; `undefined` where it is empty or something else. */
export function stringParam(search: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = search[name];
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The same, if it is one of these words. */
export function enumParam<Value extends string>(
  search: Readonly<Record<string, unknown>>,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = stringParam(search, name);
  return values.find(candidate => candidate === text);
}
