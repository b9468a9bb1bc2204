// JSON Pointers (RFC 6901), also as fragments, which begin with `#`.

/** A key as it stands in a pointer. */
export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that a pointer names, one below the other. */
export const parsePointer = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a pointer leads to; `undefined`: nothing is there. What every object has by its nature does not count. */
export const getAtPointer = (value: unknown, pointer: string): unknown =>
  parsePointer(pointer).reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, key)
        ? Reflect.get(node, key)
        : undefined,
    value,
  );

/** Whether something of which nothing is known has fields; a list has none. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
