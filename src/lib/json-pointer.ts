// JSON Pointers (RFC 6901), also as fragments, which begin with `#`.

/** A key as it stands in a pointer. */
export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that a pointer names, one below the other. */
export const keysIn = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a pointer leads to; `undefined`: nothing is there. What every object has by its nature does not count. */
export const atPointer = (value: unknown, pointer: string): unknown =>
  keysIn(pointer).reduce<unknown>(
    (place, key) =>
      typeof place === 'object' && place !== null && Object.hasOwn(place, key)
        ? Reflect.get(place, key)
        : undefined,
    value,
  );
