// Tests with connections to PostgreSQL that are cut or frozen at chosen moments.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProxiedPostgres } from '../../../test/harness/stores/proxied-postgres.ts';
import { proxiedPostgres } from '../../../test/harness/stores/proxied-postgres.ts';
import { describePostgres } from '../../../test/harness/stores/stores.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open-postgres.ts';

const cluster = (name: string) => ({
  name: toRecordName(name),
  network: toRecordName('net'),
  containerManager: null,
  revision: 'r',
});

const OUTAGE_MS = 700;

describePostgres('after a lost connection', () => {
  let proxied: ProxiedPostgres;
  let store: Store;
  /** A direct connection that is never cut. */
  let other: Store;

  const exists = async (name: string) => (await other.reads.clusters.get(toRecordName(name))) !== undefined;

  /** Inserts a record and returns the number of attempts. */
  async function write(name: string, beforeCommit: () => void = () => {}): Promise<number> {
    let attempts = 0;
    await store.transaction(async records => {
      attempts += 1;
      await records.clusters.insertOrLock(cluster(name));
      beforeCommit();
      await records.clusters.lock(toRecordName(name));
    });
    return attempts;
  }

  beforeAll(async () => {
    proxied = await proxiedPostgres();
    other = await openPostgres(proxied.database.location);
    store = await openPostgres(proxied.proxiedLocation);
  });
  afterAll(async () => {
    await store.close();
    await other.close();
    await proxied.remove();
  });

  test.each(['unsent', 'unanswered'] as const)('a read is retried if it was %s', async when => {
    const cut = proxied.proxy.cutAt(`lookup-${when}`, when);
    expect(await store.reads.clusters.get(toRecordName(`lookup-${when}`))).toBeUndefined();
    await cut;
  });

  test.each(['unsent', 'unanswered'] as const)('a transaction is retried if a statement was %s', async when => {
    const cut = proxied.proxy.cutAt(`statement-${when}`, when);
    expect(await write(`statement-${when}`)).toBe(2);
    await cut;
    expect(await exists(`statement-${when}`)).toBe(true);
  });

  test('a transaction is retried if the connection is cut between statements', async () => {
    let cut: Promise<unknown> | undefined;
    const cutOnce = () => {
      cut ??= proxied.proxy.cutAt('between', 'unsent');
    };
    expect(await write('between', cutOnce)).toBe(2);
    await cut;
    expect(await exists('between')).toBe(true);
  });

  test('a commit that was not sent is retried and takes effect once', async () => {
    const cut = proxied.proxy.cutAt('commit', 'unsent');
    expect(await write('not-arrived')).toBe(2);
    await cut;
    expect(await exists('not-arrived')).toBe(true);
  });

  test('a commit whose response was lost is not retried and is reported as successful', async () => {
    const cut = proxied.proxy.cutAt('commit', 'unanswered');
    expect(await write('answer-lost')).toBe(1);
    await cut;
    expect(await exists('answer-lost')).toBe(true);
  });

  test('an outage of less than a second is not noticed by reads, transactions and snapshots', async () => {
    const { proxy } = proxied;
    const names = Array.from({ length: 30 }, (_, index) => `restart-${index}`);
    const transactions = Promise.all(names.map(name => write(name)));
    let attempts = 0;
    const snapshot = store.snapshot(async reads => {
      await reads.clusters.listNames({});
      attempts += 1;
      if (attempts === 1) {
        await proxy.cut();
        setTimeout(() => void proxy.restore(), OUTAGE_MS);
      }
      return reads.clusters.get(toRecordName('answer-lost'));
    });
    expect((await snapshot)?.name).toBe('answer-lost');
    expect(attempts).toBe(2);
    await transactions;
    for (const name of names) expect(await exists(name)).toBe(true);
  });

  test('a commit whose outcome cannot be determined is reported as unavailable and is not retried', async () => {
    const { proxy } = proxied;
    const outage = proxy.cutAt('commit', 'unanswered').then(() => proxy.cut());
    let attempts = 0;
    const transactions = store.transaction(async records => {
      attempts += 1;
      await records.clusters.insertOrLock(cluster('unresolved'));
    });
    await expect(transactions).rejects.toThrow(StoreUnavailableError);
    await outage;
    // The outage has lasted so long that calls fail after one attempt.
    const startedMs = performance.now();
    await expect(store.reads.clusters.get(toRecordName('unresolved'))).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - startedMs).toBeLessThan(1000);
    await proxy.restore();
    expect((await store.reads.clusters.get(toRecordName('unresolved')))?.name).toBe('unresolved');
    expect(attempts).toBe(1);
  });

  test('a server whose connection stalls inside a transaction loses its locks, and then retries with the newer data', async () => {
    const { proxy } = proxied;
    const revise = async (on: Store, revision: string, beforeUpdate = () => {}) => {
      const revisions: string[] = [];
      await on.transaction(async records => {
        const locked = await records.clusters.lock(toRecordName('answer-lost'));
        revisions.push(locked?.revision ?? '');
        beforeUpdate();
        await records.clusters.update({ ...cluster('answer-lost'), revision });
      });
      return revisions;
    };
    const { promise: frozen, resolve } = Promise.withResolvers<void>();
    let isFirst = true;
    const first = revise(store, 'first', () => {
      if (isFirst) proxy.stall();
      isFirst = false;
      resolve();
    });
    await frozen;
    // It gets the lock before its lock timeout.
    expect(await revise(other, 'second')).toEqual(['r']);
    await proxy.restore();
    expect(await first).toEqual(['r', 'second']);
  });
});
