import type { Network } from '../../../src/drivers/network/network.ts';
import type { Store } from '../../../src/store/store.ts';

/** Wraps all methods of an object and of its nested objects. */
export function interceptCalls<T extends object>(target: T, intercept: <A>(call: () => Promise<A>) => Promise<A>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const value = Reflect.get(target, name);
      if (typeof value === 'function') {
        return (...args: unknown[]) => intercept(async () => value.apply(target, args));
      }
      return typeof value === 'object' && value !== null ? interceptCalls(value, intercept) : value;
    },
  });
}

/** Counts calls to stores and networks in flight. Virtual time must not advance while there are any. */
export function trackCalls() {
  let inFlight = 0;
  let nextEnd = Promise.withResolvers<void>();
  const track = async <T>(run: () => Promise<T>): Promise<T> => {
    inFlight += 1;
    try {
      return await run();
    } finally {
      inFlight -= 1;
      nextEnd.resolve();
      nextEnd = Promise.withResolvers();
    }
  };
  return {
    get inFlight() {
      return inFlight;
    },
    untilNextEnd: () => nextEnd.promise,
    trackStore: (store: Store): Store => ({
      ...store,
      reads: interceptCalls(store.reads, track),
      transaction: run => track(() => store.transaction(run)),
      snapshot: run => track(() => store.snapshot(run)),
    }),
    /** A network driver may call a real server. */
    trackNetwork: (network: Network): Network => interceptCalls(network, track),
  };
}
