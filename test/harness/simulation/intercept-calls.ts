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
  const track = async <T>(run: () => Promise<T>): Promise<T> => {
    inFlight += 1;
    try {
      return await run();
    } finally {
      inFlight -= 1;
    }
  };
  return {
    get inFlight() {
      return inFlight;
    },
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

/** Shorter than most queries. */
const YIELD_MS = 0.05;

const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Blocks for a moment and returns `false`. The virtual clock polls for pending queries in every event loop
 * iteration and would otherwise take CPU time from the database.
 */
export function yieldToIo(): false {
  Atomics.wait(never, 0, 0, YIELD_MS);
  return false;
}
