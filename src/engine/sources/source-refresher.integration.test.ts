import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { trackCalls } from '../../../test/harness/simulation/intercept-calls.ts';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, describeByStore, openTestDatabase } from '../../../test/harness/stores/stores.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { newHost } from '../../domain/hosts/host.ts';
import type { SourceFacts, SourceReadError } from '../../domain/hosts/host-facts.ts';
import type { HostSource } from '../../drivers/host-source/host-source.ts';
import type { Store } from '../../store/store.ts';
import { SourceRefreshers } from './source-refresher.ts';

const REFRESH_MS = 60_000;

class FixtureSource implements HostSource {
  readonly known = new Map<string, SourceFacts>();
  readonly unread = new Map<string, string>();
  reads: (readonly Address[])[] = [];
  problem: string | undefined;
  isHanging = false;
  changed = () => {};

  async read(hosts: readonly Address[]) {
    this.reads.push(hosts);
    if (this.isHanging) await new Promise(() => {});
    if (this.problem !== undefined) throw new Error(this.problem);
    return new Map(
      hosts.flatMap((host): [Address, SourceFacts | SourceReadError][] => {
        const readError = this.unread.get(host);
        if (readError !== undefined) return [[host, { readError }]];
        const facts = this.known.get(host);
        return facts ? [[host, facts]] : [];
      }),
    );
  }
}

class WatchedSource extends FixtureSource {
  readonly isBulk = true;

  watch(changed: () => void, signal: AbortSignal) {
    this.changed = changed;
    return new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
  }
}

describeByStore(
  kind => `host sources, on ${kind}`,
  kind => {
    const calls = trackCalls();
    const clock = new VirtualClock({ isIdle: () => calls.inFlight === 0, untilProgress: calls.untilNextEnd });
    let database: TestDatabase;
    let store: Store;
    let warnings: string[] = [];
    const running: SourceRefreshers[] = [];
    beforeAll(async () => {
      database = await createTestDatabase(kind, { isMigrated: true });
      store = calls.trackStore(await openTestDatabase(database, { clock }));
    });
    afterEach(async () => {
      for (const each of running.splice(0)) await each.stop();
      warnings = [];
    });
    afterAll(async () => {
      await store.close();
      await database.remove();
    });

    const recordWarning = (details: unknown, message?: string) =>
      void warnings.push(`${JSON.stringify(details)} ${message}`);
    const log = { debug: () => {}, info: () => {}, warn: recordWarning, error: recordWarning };

    const start = (sources: Readonly<Record<string, HostSource>>, isShared = store.isShared) => {
      const configs = Object.entries(sources).map(([name, source]) => ({
        name,
        source,
        refreshMs: REFRESH_MS,
      }));
      const ports = { store: { ...store, isShared }, clock, log, osNames: ['debian'] };
      const started = SourceRefreshers.start(ports, configs);
      running.push(started);
      return started;
    };
    const enrol = (source: string, ...addresses: readonly string[]) =>
      store.transaction(async records => {
        for (const address of addresses)
          await records.hosts.insertOrLock(newHost(address as Address, { enrolment: 'e', source }));
      });
    const sourceFacts = async (address: string) => (await store.reads.hosts.get(address as Address))?.sourceFacts;
    const sourceReadAt = (address: string) => store.reads.sourcedHosts.getLastReadAt(address as Address);
    const problemOf = async (source: string) => (await store.reads.sourceRefreshes.get(source))?.problem;

    /** Simulates a server that claimed the source and died. */
    const claimAndAbandon = (source: string) =>
      store.transaction(async records => {
        await records.sourceRefreshes.scheduleBy(source, clock.now());
        const fullRefresh = { startedAt: clock.now(), nextDueAt: clock.now() + REFRESH_MS };
        const current = { fence: 0, claimedUntil: 0 };
        await records.sourceRefreshes.claim(source, current, {
          claimedUntil: clock.now() + 100_000,
          fullRefresh,
        });
      });

    test('reads a source at startup and after every refresh interval', async () => {
      const source = new FixtureSource();
      source.known.set('127.0.0.1', { os: 'debian', cpus: 2 });
      await enrol('timed', '127.0.0.1', '127.0.0.2');
      start({ timed: source });
      await clock.advance(1000);
      expect(await sourceFacts('127.0.0.1')).toEqual({ os: 'debian', cpus: 2 });
      expect(await sourceFacts('127.0.0.2')).toBeNull();
      expect(await sourceReadAt('127.0.0.2')).not.toBeNull();
      source.known.set('127.0.0.1', { os: 'beos', cpus: 4 });
      await clock.advance(REFRESH_MS - 2000);
      expect(source.reads).toEqual([['127.0.0.1', '127.0.0.2']]);
      await clock.advance(2000);
      expect(await sourceFacts('127.0.0.1')).toEqual({ cpus: 4 });
      expect(clock.now() - ((await sourceReadAt('127.0.0.1')) ?? 0)).toBeLessThan(2000);
    });

    test('keeps the last facts and reports the problem while a source cannot be read', async () => {
      const source = new FixtureSource();
      source.known.set('127.0.1.1', { cpus: 2 });
      await enrol('failing', '127.0.1.1');
      start({ failing: source });
      await clock.advance(1000);
      const before = await sourceReadAt('127.0.1.1');
      source.problem = 'connection\nrefused';
      await clock.advance(2 * REFRESH_MS);
      expect(await sourceFacts('127.0.1.1')).toEqual({ cpus: 2 });
      expect(await sourceReadAt('127.0.1.1')).toBe(before);
      expect(await problemOf('failing')).toBe('connection refused');
      // Retried sooner than the refresh interval, and logged once.
      expect(source.reads.length).toBeGreaterThan(3);
      expect(warnings).toEqual([expect.stringContaining('connection refused')]);
      source.problem = undefined;
      source.known.set('127.0.1.1', { cpus: 3 });
      await clock.advance(31_000);
      expect(await sourceFacts('127.0.1.1')).toEqual({ cpus: 3 });
      expect(await problemOf('failing')).toBe('');
    });

    test('updates other hosts and keeps the last facts of a host that cannot be read', async () => {
      const source = new FixtureSource();
      for (const host of ['127.0.12.1', '127.0.12.2']) source.known.set(host, { cpus: 1 });
      await enrol('partial', '127.0.12.1', '127.0.12.2', '127.0.12.3');
      source.unread.set('127.0.12.3', 'responded 500');
      start({ partial: source });
      await clock.advance(1000);
      expect(await sourceReadAt('127.0.12.3')).toBeNull();
      source.unread.set('127.0.12.1', 'responded 500');
      source.known.set('127.0.12.2', { cpus: 2 });
      await clock.advance(REFRESH_MS);
      expect([await sourceFacts('127.0.12.1'), await sourceFacts('127.0.12.2')]).toEqual([{ cpus: 1 }, { cpus: 2 }]);
      expect(await problemOf('partial')).toBe('responded 500');
      source.unread.clear();
      await clock.advance(REFRESH_MS);
      expect(await problemOf('partial')).toBe('');
    });

    test('reads a newly enrolled host soon, and only that host', async () => {
      const source = new FixtureSource();
      await enrol('enrolled', '127.0.2.1');
      const sources = start({ enrolled: source });
      await clock.advance(10_000);
      source.known.set('127.0.2.2', { cpus: 8 });
      await enrol('enrolled', '127.0.2.2');
      sources.refreshSoon('enrolled');
      await clock.advance(1000);
      expect(await sourceFacts('127.0.2.2')).toEqual({ cpus: 8 });
      expect(source.reads).toEqual([['127.0.2.1'], ['127.0.2.2']]);
    });

    test('does not repeat reads for new hosts while a source fails', async () => {
      const source = new FixtureSource();
      source.problem = 'source is down';
      const sources = start({ down: source });
      await enrol('down', '127.0.3.1');
      await clock.advance(1000);
      for (let count = 0; count < 10; count += 1) {
        sources.refreshSoon('down');
        await clock.advance(1000);
      }
      expect(source.reads.length).toBeLessThanOrEqual(2);
    });

    test('reads a source soon after a change, but at most every 5 s', async () => {
      const source = new WatchedSource();
      await enrol('watched', '127.0.4.1');
      start({ watched: source });
      await clock.advance(10_000);
      const before = source.reads.length;
      source.known.set('127.0.4.1', { cpus: 1 });
      source.changed();
      await clock.advance(1000);
      expect(await sourceFacts('127.0.4.1')).toEqual({ cpus: 1 });
      for (let count = 0; count < 90; count += 1) {
        source.changed();
        await clock.advance(100);
      }
      expect(source.reads.length - before).toBeLessThanOrEqual(3);
      // The last change is read even if the limit delays it.
      source.known.set('127.0.4.1', { cpus: 2 });
      source.changed();
      await clock.advance(6000);
      expect(await sourceFacts('127.0.4.1')).toEqual({ cpus: 2 });
    });

    test('reads 100 hosts per page, or all hosts at once from a bulk source', async () => {
      const hosts = Array.from({ length: 501 }, (_, index) => `127.5.${index >> 8}.${index & 255}`);
      const [each, all] = [new FixtureSource(), new WatchedSource()];
      await enrol('each', ...hosts);
      await enrol('all', ...hosts.map(host => host.replace('127.5', '127.6')));
      start({ each, all });
      await clock.advance(1000);
      expect(each.reads.map(({ length }) => length)).toEqual([100, 100, 100, 100, 100, 1]);
      expect(all.reads.map(({ length }) => length)).toEqual([501]);
      expect(await sourceReadAt('127.6.1.244')).not.toBeNull();
    });

    test('a hanging source delays neither other sources nor shutdown', async () => {
      const [hanging, other] = [new FixtureSource(), new FixtureSource()];
      hanging.isHanging = true;
      other.known.set('127.0.7.2', { cpus: 2 });
      await enrol('hanging', '127.0.7.1');
      await enrol('other', '127.0.7.2');
      const sources = start({ hanging, other });
      await clock.advance(1000);
      expect(await sourceFacts('127.0.7.2')).toEqual({ cpus: 2 });
      await clock.advance(120_000);
      expect(await problemOf('hanging')).toBe('no response within 120 s');
      await clock.advance(31_000);
      // The retry hangs, too.
      const reads = hanging.reads.length;
      await sources.stop();
      expect(await store.reads.sourceRefreshes.get('hanging')).toMatchObject({ claimedUntil: 0 });
      hanging.isHanging = false;
      start({ hanging });
      await clock.advance(6000);
      expect(hanging.reads.length).toBe(reads + 1);
      expect(await problemOf('hanging')).toBe('');
    });

    test('reads a source on one server when several share the store', async () => {
      const source = new FixtureSource();
      await enrol('shared', '127.0.8.1');
      for (let count = 0; count < 3; count += 1) start({ shared: source }, true);
      await clock.advance(30_000);
      // Each server requests a read at startup, because its configuration can differ.
      const readsAtStart = source.reads.length;
      expect(readsAtStart).toBeLessThanOrEqual(3);
      await clock.advance(10 * REFRESH_MS);
      expect(source.reads.length - readsAtStart).toBeGreaterThanOrEqual(9);
      expect(source.reads.length - readsAtStart).toBeLessThanOrEqual(11);
    });

    test('keeps the refresh interval after the clock is set back', async () => {
      const source = new FixtureSource();
      await enrol('set-back', '127.0.11.1');
      start({ 'set-back': source });
      await clock.advance(10_000);
      clock.setWallClockBack(3_600_000);
      await clock.advance(2 * REFRESH_MS);
      expect(source.reads.length).toBeGreaterThanOrEqual(3);
      expect(source.reads.length).toBeLessThanOrEqual(4);
    });

    test('takes over a source from a killed server after its claim expires', async () => {
      const source = new FixtureSource();
      await enrol('abandoned', '127.0.9.1');
      await claimAndAbandon('abandoned');
      start({ abandoned: source }, true);
      await clock.advance(99_000);
      expect(source.reads).toEqual([]);
      await clock.advance(6000);
      expect(source.reads).toEqual([['127.0.9.1']]);
    });

    test('takes over a source from an earlier process at once when the store is not shared', async () => {
      const source = new FixtureSource();
      await enrol('earlier', '127.0.10.1');
      await claimAndAbandon('earlier');
      start({ earlier: source }, false);
      await clock.advance(6000);
      expect(source.reads).toEqual([['127.0.10.1']]);
    });
  },
);
