import type { Store } from '../../../src/store/store.ts';

/** Counts the calls to stores that are under way: until none is, virtual time must stand still. */
export function countCalls() {
  let underWay = 0;
  const count = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  };
  const countAll = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const found = Reflect.get(target, name);
        if (typeof found === 'function') {
          return (...args: unknown[]) => count(async () => found.apply(target, args));
        }
        return typeof found === 'object' && found !== null ? countAll(found) : found;
      },
    });
  return {
    get underWay() {
      return underWay;
    },
    counted: (store: Store): Store => ({
      ...store,
      reads: countAll(store.reads),
      transaction: work => count(() => store.transaction(work)),
      snapshot: work => count(() => store.snapshot(work)),
    }),
  };
}
