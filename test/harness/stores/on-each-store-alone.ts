import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import type { StoreKind, StorePlace } from './stores.ts';
import { describeStores, makeStorePlace, openPlace } from './stores.ts';

/** A store without a service, which nobody else has. It is there when the tests run. */
interface StoreAlone {
  readonly kind: StoreKind;
  readonly store: () => Store;
  readonly place: () => StorePlace;
  /** After the test has closed it. */
  readonly openAgain: () => Promise<void>;
}

interface Options {
  /** Whether all tests share a store, or each has its own. */
  readonly per: 'suite' | 'test';
  readonly isForgetful?: boolean;
}

/** Runs a suite once on each store. */
export function onEachStoreAlone(
  what: string,
  { per, isForgetful = false }: Options,
  suite: (alone: StoreAlone) => void,
): void {
  const [begin, end] = per === 'suite' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  describeStores(
    kind => `${what}, on ${kind}`,
    kind => {
      let place: StorePlace;
      let store: Store;
      const openAgain = async () => {
        store = await openPlace(place);
      };
      begin(async () => {
        place = await makeStorePlace(kind, { isForgetful });
        await openAgain();
      });
      end(async () => {
        await store.close();
        await place.remove();
      });
      suite({ kind, store: () => store, place: () => place, openAgain });
    },
  );
}
