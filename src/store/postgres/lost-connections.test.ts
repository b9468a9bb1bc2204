// Connections to PostgreSQL that are cut, frozen and lost at chosen moments.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProxiedPlace } from '../../../test/harness/stores/proxied-postgres.ts';
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

describePostgres('what has lost its connection', () => {
  let proxied: ProxiedPlace;
  let store: Store;
  /** On a way of its own, which is never cut. */
  let other: Store;

  const exists = async (name: string) => (await other.reads.clusters.get(toRecordName(name))) !== undefined;

  /** Writes a record; answers how often that was begun. */
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
    other = await openPostgres(proxied.place.location);
    store = await openPostgres(proxied.through);
  });
  afterAll(async () => {
    await store.close();
    await other.close();
    await proxied.remove();
  });

  test.each(['unsent', 'unanswered'] as const)('a read is asked again, when it was %s', async when => {
    const cut = proxied.proxy.cutAt(`sought-${when}`, when);
    expect(await store.reads.clusters.get(toRecordName(`sought-${when}`))).toBeUndefined();
    await cut;
  });

  test.each(['unsent', 'unanswered'] as const)(
    'a transaction is run again, when a statement was %s',
    async when => {
      const cut = proxied.proxy.cutAt(`stated-${when}`, when);
      expect(await write(`stated-${when}`)).toBe(2);
      await cut;
      expect(await exists(`stated-${when}`)).toBe(true);
    },
  );

  test('a transaction is run again when it is cut in its midst', async () => {
    let cut: Promise<unknown> | undefined;
    const cutOnce = () => {
      cut ??= proxied.proxy.cutAt('midst', 'unsent');
    };
    expect(await write('midst', cutOnce)).toBe(2);
    await cut;
    expect(await exists('midst')).toBe(true);
  });

  test('a commit that did not arrive is run again, and counts once', async () => {
    const cut = proxied.proxy.cutAt('commit', 'unsent');
    expect(await write('not-arrived')).toBe(2);
    await cut;
    expect(await exists('not-arrived')).toBe(true);
  });

  test('a commit whose answer was lost is not run again, and is told as done', async () => {
    const cut = proxied.proxy.cutAt('commit', 'unanswered');
    expect(await write('answer-lost')).toBe(1);
    await cut;
    expect(await exists('answer-lost')).toBe(true);
  });

  test('a PostgreSQL that is back within a second is not noticed, whatever was under way', async () => {
    const { proxy } = proxied;
    const names = Array.from({ length: 30 }, (_, index) => `restart-${index}`);
    const transactions = Promise.all(names.map(name => write(name)));
    let attempts = 0;
    const snapshot = store.snapshot(async reads => {
      await reads.clusters.listNames({});
      attempts += 1;
      if (attempts === 1) {
        await proxy.cut();
        setTimeout(() => void proxy.mend(), OUTAGE_MS);
      }
      return reads.clusters.get(toRecordName('answer-lost'));
    });
    expect((await snapshot)?.name).toBe('answer-lost');
    expect(attempts).toBe(2);
    await transactions;
    for (const name of names) expect(await exists(name)).toBe(true);
  });

  test('a commit of which nobody can tell what became of it is told as unavailable, and is not run again', async () => {
    const { proxy } = proxied;
    const outage = proxy.cutAt('commit', 'unanswered').then(() => proxy.cut());
    let attempts = 0;
    const transactions = store.transaction(async records => {
      attempts += 1;
      await records.clusters.insertOrLock(cluster('untold'));
    });
    await expect(transactions).rejects.toThrow(StoreUnavailableError);
    await outage;
    // By now it has been away for so long that nobody waits for it.
    const startedMs = performance.now();
    await expect(store.reads.clusters.get(toRecordName('untold'))).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - startedMs).toBeLessThan(1000);
    await proxy.mend();
    expect((await store.reads.clusters.get(toRecordName('untold')))?.name).toBe('untold');
    expect(attempts).toBe(1);
  });

  test('a server that freezes inside a transaction loses its locks soon, and finds when it wakes up that others went on', async () => {
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
      if (isFirst) proxy.freeze();
      isFirst = false;
      resolve();
    });
    await frozen;
    // It waits for the lock, for less than it has patience.
    expect(await revise(other, 'second')).toEqual(['r']);
    proxy.thaw();
    expect(await first).toEqual(['r', 'second']);
  });
});
