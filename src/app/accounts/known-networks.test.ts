import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describeStores, makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { KnownNetworks } from './known-networks.ts';

const DAY_MS = 24 * 3_600_000;

describeStores(
  kind => `networks with sign-ins, on ${kind}`,
  kind => {
    let place: StorePlace;
    let store: Store;
    let nowMs: number;
    let transactions: number;
    let isStoreAway: boolean;
    beforeEach(async () => {
      place = await makeStorePlace(kind, { isForgetful: true });
      nowMs = 1_800_000_000_000;
      transactions = 0;
      isStoreAway = false;
      const opened = await openPlace(place, { clock: { now: () => nowMs } });
      store = {
        ...opened,
        transaction: work => {
          transactions += 1;
          if (isStoreAway) return Promise.reject(new StoreUnavailableError(new Error('away')));
          return opened.transaction(work);
        },
      };
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });

    const knownNetworks = () => new KnownNetworks(store, { monotonicMs: () => nowMs });
    const isKnown = async (address: string) => (await knownNetworks().groupOf(address)).isPrivileged;

    test('are known for 30 days, also to another server, and others are not', async () => {
      await knownNetworks().add('10.0.0.1');
      expect(await Promise.all(['10.0.0.1', '10.0.0.2'].map(isKnown))).toEqual([true, false]);
      nowMs += 30 * DAY_MS - 1;
      expect(await isKnown('10.0.0.1')).toBe(true);
      nowMs += 1;
      expect(await isKnown('10.0.0.1')).toBe(false);
    });

    test('of IPv6 are a /64', async () => {
      await knownNetworks().add('2001:db8:1:2::1');
      expect(await Promise.all(['2001:db8:1:2:ffff::9', '2001:db8:1:3::1'].map(isKnown))).toEqual([
        true,
        false,
      ]);
    });

    test('are written once a day, and removed when they are too old', async () => {
      const networks = knownNetworks();
      await networks.add('10.0.0.1');
      for (let times = 0; times < 10; times += 1) await networks.add('10.0.0.1');
      expect(transactions).toBe(1);
      nowMs += DAY_MS;
      await networks.add('10.0.0.1');
      expect(transactions).toBe(2);
      nowMs += 31 * DAY_MS;
      await networks.add('10.0.0.2');
      expect(await store.reads.signInNetworks.lastAt('10.0.0.1')).toBeUndefined();
    });

    test('are written once by concurrent logins', async () => {
      const networks = knownNetworks();
      await Promise.all(Array.from({ length: 50 }, () => networks.add('10.0.0.1')));
      expect(transactions).toBe(1);
      expect(await isKnown('10.0.0.1')).toBe(true);
    });

    test('are written by the next login after a write has failed', async () => {
      const networks = knownNetworks();
      isStoreAway = true;
      await expect(networks.add('10.0.0.1')).rejects.toThrow(StoreUnavailableError);
      isStoreAway = false;
      await networks.add('10.0.0.1');
      expect(await isKnown('10.0.0.1')).toBe(true);
    });
  },
);

describe('the group of a network', () => {
  test('is the network itself, so that its addresses share their turns', async () => {
    const place = await makeStorePlace('sqlite', { isForgetful: true });
    const store = await openPlace(place);
    const networks = new KnownNetworks(store, systemClock);
    const [one, two] = await Promise.all(
      ['2001:db8:1:2::1', '2001:db8:1:2::2'].map(each => networks.groupOf(each)),
    );
    expect(one).toEqual(two);
    await store.close();
    await place.remove();
  });
});
