import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import { openSqlite } from '../store/sqlite/open-sqlite.ts';
import type { Store } from '../store/store.ts';
import { ClaimLostError, Lease } from './lease.ts';

const LEASE_MS = 15_000;

describe('Lease', () => {
  let folder: string;
  let clock: VirtualClock;
  let store: Store;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-lease-'));
    clock = new VirtualClock();
    store = await openSqlite(folder, { clock });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const acquire = (leaseClock = clock as Pick<VirtualClock, 'now' | 'monotonicMs' | 'setTimer'>) =>
    Lease.acquire({ store, clock: leaseClock, log, ownBootId: '', settings: { leaseMs: LEASE_MS } });

  test('expires on its owner before it expires in the store', async () => {
    const lease = await acquire();
    await clock.advance(0.8 * LEASE_MS - 1);
    expect(lease.isHeld()).toBe(true);
    await clock.advance(1);
    expect(lease.isHeld()).toBe(false);
    expect((await store.reads.servers.getPeers('another', 0)).nextExpiry).toBeGreaterThan(clock.now());
  });

  test('aborts its signal when it expires', async () => {
    const lease = await acquire();
    await clock.advance(LEASE_MS);
    expect(lease.signal.aborted).toBe(true);
    expect(() => lease.assertHeld()).toThrow(ClaimLostError);
  });

  test('stays held while it is renewed', async () => {
    const lease = await acquire();
    for (let count = 0; count < 10; count += 1) {
      await clock.advance(LEASE_MS / 3);
      await lease.renew();
    }
    expect(lease.isHeld()).toBe(true);
  });

  test('cannot be renewed after it expired', async () => {
    const lease = await acquire();
    await clock.advance(LEASE_MS);
    await lease.renew();
    expect(lease.isHeld()).toBe(false);
  });

  test.each([
    ['the wall clock when the monotonic clock stopped during suspend', 60_000, 0],
    ['the monotonic clock when the wall clock was set back', -60_000, 60_000],
  ])('expires by %s', async (_clock, wallMs, monotonicMs) => {
    const offset = { wallMs: 0, monotonicMs: 0 };
    const lease = await acquire({
      now: () => clock.now() + offset.wallMs,
      monotonicMs: () => clock.monotonicMs() + offset.monotonicMs,
      setTimer: (ms, callback) => clock.setTimer(ms, callback),
    });
    expect(lease.isHeld()).toBe(true);
    Object.assign(offset, { wallMs, monotonicMs });
    expect(lease.isHeld()).toBe(false);
  });

  test('counts from before the request when the store is slow', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow: Store = {
      ...store,
      transaction: async run => {
        const result = await store.transaction(run);
        await promise;
        return result;
      },
    };
    const acquired = Lease.acquire({
      store: slow,
      clock,
      log,
      ownBootId: '',
      settings: { leaseMs: LEASE_MS },
    });
    await clock.advance(LEASE_MS);
    resolve();
    expect((await acquired).isHeld()).toBe(false);
  });

  test('is lost when the server row was deleted', async () => {
    const lease = await acquire();
    await store.transaction(records => records.servers.unregister(lease.incarnation));
    await lease.renew();
    expect(lease.isHeld()).toBe(false);
  });
});
