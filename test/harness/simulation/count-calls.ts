import type { OpenNetwork } from '../../../src/drivers/network/network.ts';
import type { Store } from '../../../src/store/store.ts';
import { aroundCalls } from './around-calls.ts';

/** Counts the calls to stores and networks that are under way: until none is, virtual time must stand still. */
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
  return {
    get underWay() {
      return underWay;
    },
    counted: (store: Store): Store => ({
      ...store,
      reads: aroundCalls(store.reads, count),
      transaction: work => count(() => store.transaction(work)),
      snapshot: work => count(() => store.snapshot(work)),
    }),
    /** The servers of a network may be real. */
    countedNetwork: (opened: OpenNetwork): OpenNetwork => ({
      ...opened,
      network: aroundCalls(opened.network, count),
    }),
  };
}
