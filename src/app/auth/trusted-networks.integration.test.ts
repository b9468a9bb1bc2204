import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, describeByStore, openTestDatabase } from '../../../test/harness/stores/stores.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { TrustedNetworks } from './trusted-networks.ts';

const DAY_MS = 24 * 3_600_000;

describeByStore(
  kind => `TrustedNetworks on ${kind}`,
  kind => {
    let database: TestDatabase;
    let store: Store;
    let nowMs: number;
    let transactions: number;
    let isStoreDown: boolean;
    beforeEach(async () => {
      database = await createTestDatabase(kind, { isMigrated: true });
      nowMs = 1_800_000_000_000;
      transactions = 0;
      isStoreDown = false;
      const opened = await openTestDatabase(database, { clock: { now: () => nowMs } });
      store = {
        ...opened,
        transaction: run => {
          transactions += 1;
          if (isStoreDown) return Promise.reject(new StoreUnavailableError(new Error('store unavailable')));
          return opened.transaction(run);
        },
      };
    });
    afterEach(async () => {
      await store.close();
      await database.remove();
    });

    const trustedNetworks = () => new TrustedNetworks(store, { monotonicMs: () => nowMs });
    const isTrusted = async (address: string) => (await trustedNetworks().groupFor(address)).isPrivileged;

    test('trusts a network for 30 days on all servers', async () => {
      await trustedNetworks().recordLogin('10.0.0.1');
      expect(await Promise.all(['10.0.0.1', '10.0.0.2'].map(isTrusted))).toEqual([true, false]);
      nowMs += 30 * DAY_MS - 1;
      expect(await isTrusted('10.0.0.1')).toBe(true);
      nowMs += 1;
      expect(await isTrusted('10.0.0.1')).toBe(false);
    });

    test('treats an IPv6 /64 as one network', async () => {
      await trustedNetworks().recordLogin('2001:db8:1:2::1');
      expect(await Promise.all(['2001:db8:1:2:ffff::9', '2001:db8:1:3::1'].map(isTrusted))).toEqual([true, false]);
    });

    test('writes a network once per day and removes old networks', async () => {
      const networks = trustedNetworks();
      await networks.recordLogin('10.0.0.1');
      for (let times = 0; times < 10; times += 1) await networks.recordLogin('10.0.0.1');
      expect(transactions).toBe(1);
      nowMs += DAY_MS;
      await networks.recordLogin('10.0.0.1');
      expect(transactions).toBe(2);
      nowMs += 31 * DAY_MS;
      await networks.recordLogin('10.0.0.2');
      expect(await store.reads.signInNetworks.getLastSignIn('10.0.0.1')).toBeUndefined();
    });

    test('writes a network once for concurrent logins', async () => {
      const networks = trustedNetworks();
      await Promise.all(Array.from({ length: 50 }, () => networks.recordLogin('10.0.0.1')));
      expect(transactions).toBe(1);
      expect(await isTrusted('10.0.0.1')).toBe(true);
    });

    test('writes a network at the next login after a failed write', async () => {
      const networks = trustedNetworks();
      isStoreDown = true;
      await expect(networks.recordLogin('10.0.0.1')).rejects.toThrow(StoreUnavailableError);
      isStoreDown = false;
      await networks.recordLogin('10.0.0.1');
      expect(await isTrusted('10.0.0.1')).toBe(true);
    });
  },
);

describe('TrustedNetworks.groupFor', () => {
  test('returns the same group for all addresses of a network', async () => {
    const database = await createTestDatabase('sqlite', { isMigrated: true });
    const store = await openTestDatabase(database);
    const networks = new TrustedNetworks(store, systemClock);
    const [first, second] = await Promise.all(
      ['2001:db8:1:2::1', '2001:db8:1:2::2'].map(address => networks.groupFor(address)),
    );
    expect(first).toEqual(second);
    await store.close();
    await database.remove();
  });
});
