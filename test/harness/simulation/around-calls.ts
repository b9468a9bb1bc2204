/** An object, or one of objects, on which every call goes through `around`. */
export function aroundCalls<T extends object>(
  target: T,
  around: <A>(call: () => Promise<A>) => Promise<A>,
): T {
  return new Proxy(target, {
    get: (_, name) => {
      const found = Reflect.get(target, name);
      if (typeof found === 'function') {
        return (...args: unknown[]) => around(async () => found.apply(target, args));
      }
      return typeof found === 'object' && found !== null ? aroundCalls(found, around) : found;
    },
  });
}
