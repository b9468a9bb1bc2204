// JSON Pointers (RFC 6901), also as fragments that start with `#`.

export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

export const parsePointer = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Ignores inherited properties. */
export const getAtKeys = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined,
    value,
  );

export const getAtPointer = (value: unknown, pointer: string): unknown => getAtKeys(value, parsePointer(pointer));

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
