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

const BACK_AFTER_MS = 700;

describePostgres('what has lost its connection', () => {
  let proxied: ProxiedPlace;
  let store: Store;
  /** On a way of its own, which is never cut. */
  let other: Store;

  const isThere = async (name: string) => (await other.reads.clusters.get(toRecordName(name))) !== undefined;

  /** Writes a record; answers how often that was begun. */
  async function write(name: string, meanwhile: () => void = () => {}): Promise<number> {
    let runs = 0;
    await store.transaction(async records => {
      runs += 1;
      await records.clusters.insertOrLock(cluster(name));
      meanwhile();
      await records.clusters.lock(toRecordName(name));
    });
    return runs;
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
      expect(await isThere(`stated-${when}`)).toBe(true);
    },
  );

  test('a transaction is run again when it is cut in its midst', async () => {
    let cut: Promise<unknown> | undefined;
    const cutOnce = () => {
      cut ??= proxied.proxy.cutAt('midst', 'unsent');
    };
    expect(await write('midst', cutOnce)).toBe(2);
    await cut;
    expect(await isThere('midst')).toBe(true);
  });

  test('a commit that did not arrive is run again, and counts once', async () => {
    const cut = proxied.proxy.cutAt('commit', 'unsent');
    expect(await write('not-arrived')).toBe(2);
    await cut;
    expect(await isThere('not-arrived')).toBe(true);
  });

  test('a commit whose answer was lost is not run again, and is told as done', async () => {
    const cut = proxied.proxy.cutAt('commit', 'unanswered');
    expect(await write('answer-lost')).toBe(1);
    await cut;
    expect(await isThere('answer-lost')).toBe(true);
  });

  test('a PostgreSQL that is back within a second is not noticed, whatever was under way', async () => {
    const { proxy } = proxied;
    const names = Array.from({ length: 30 }, (_, index) => `restart-${index}`);
    const writing = Promise.all(names.map(name => write(name)));
    let looks = 0;
    const looked = store.snapshot(async reads => {
      await reads.clusters.names({});
      looks += 1;
      if (looks === 1) {
        await proxy.cut();
        setTimeout(() => void proxy.mend(), BACK_AFTER_MS);
      }
      return reads.clusters.get(toRecordName('answer-lost'));
    });
    expect((await looked)?.name).toBe('answer-lost');
    expect(looks).toBe(2);
    await writing;
    for (const name of names) expect(await isThere(name)).toBe(true);
  });

  test('a commit of which nobody can tell what became of it is told as unavailable, and is not run again', async () => {
    const { proxy } = proxied;
    const away = proxy.cutAt('commit', 'unanswered').then(() => proxy.cut());
    let runs = 0;
    const writing = store.transaction(async records => {
      runs += 1;
      await records.clusters.insertOrLock(cluster('untold'));
    });
    await expect(writing).rejects.toThrow(StoreUnavailableError);
    await away;
    // By now it has been away for so long that nobody waits for it.
    const askedAtMs = performance.now();
    await expect(store.reads.clusters.get(toRecordName('untold'))).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - askedAtMs).toBeLessThan(1000);
    await proxy.mend();
    expect((await store.reads.clusters.get(toRecordName('untold')))?.name).toBe('untold');
    expect(runs).toBe(1);
  });

  test('a server that freezes inside a transaction loses its locks soon, and finds when it wakes up that others went on', async () => {
    const { proxy } = proxied;
    const revise = async (on: Store, revision: string, meanwhile = () => {}) => {
      const seen: string[] = [];
      await on.transaction(async records => {
        const locked = await records.clusters.lock(toRecordName('answer-lost'));
        seen.push(locked?.revision ?? '');
        meanwhile();
        await records.clusters.update({ ...cluster('answer-lost'), revision });
      });
      return seen;
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
