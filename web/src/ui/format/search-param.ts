/** Returns undefined if the parameter is empty or not a scalar. */
export function stringParam(search: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = search[name];
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns undefined if the parameter is not one of the values. */
export function enumParam<Value extends string>(
  search: Readonly<Record<string, unknown>>,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = stringParam(search, name);
  return values.find(candidate => candidate === text);
}
