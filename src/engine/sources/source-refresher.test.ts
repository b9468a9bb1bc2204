import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countCalls } from '../../../test/harness/simulation/count-calls.ts';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describeStores, makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { newHost } from '../../domain/hosts/host.ts';
import type { SourceFacts, SourceReadError } from '../../domain/hosts/host-facts.ts';
import type { HostSource } from '../../drivers/host-source/host-source.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import type { Store } from '../../store/store.ts';
import { SourceRefreshers } from './source-refresher.ts';

const REFRESH_MS = 60_000;

/** A source in memory, and what it was asked. */
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

describeStores(
  kind => `host sources, on ${kind}`,
  kind => {
    const calls = countCalls();
    const clock = new VirtualClock({ isIdle: () => calls.underWay === 0 });
    let place: StorePlace;
    let store: Store;
    let warnings: string[] = [];
    const running: SourceRefreshers[] = [];
    beforeAll(async () => {
      place = await makeStorePlace(kind, { isForgetful: true });
      store = calls.counted(await openPlace(place, { clock }));
    });
    afterEach(async () => {
      for (const each of running.splice(0)) await each.stop();
      warnings = [];
    });
    afterAll(async () => {
      await store.close();
      await place.remove();
    });

    const note = (details: unknown, message?: string) =>
      void warnings.push(`${JSON.stringify(details)} ${message}`);
    const log = { info: () => {}, warn: note, error: note };

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
    const sourceFacts = async (address: string) =>
      (await store.reads.hosts.get(address as Address))?.sourceFacts;
    const sourceReadAt = (address: string) => store.reads.sourcedHosts.getLastReadAt(address as Address);
    const problemOf = async (source: string) => (await store.reads.sourceRefreshes.get(source))?.problem;

    /** As a server does that has taken it, and is not heard of any more. */
    const claimAndAbandon = (source: string) =>
      store.transaction(async records => {
        await records.sourceRefreshes.scheduleBy(source, clock.now());
        const fullRefresh = { startedAt: clock.now(), nextDueAt: clock.now() + REFRESH_MS };
        const seen = { fence: 0, claimedUntil: 0 };
        await records.sourceRefreshes.claim(source, seen, {
          claimedUntil: clock.now() + 100_000,
          fullRefresh,
        });
      });

    test('are read at the start, and again when their time has come', async () => {
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

    test('keep what they told when they cannot be read, and say so, until they can', async () => {
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
      // Tried again sooner than usual, and told once.
      expect(source.reads.length).toBeGreaterThan(3);
      expect(warnings).toEqual([expect.stringContaining('connection refused')]);
      source.problem = undefined;
      source.known.set('127.0.1.1', { cpus: 3 });
      await clock.advance(31_000);
      expect(await sourceFacts('127.0.1.1')).toEqual({ cpus: 3 });
      expect(await problemOf('failing')).toBe('');
    });

    test('of which one host cannot be read tell of the others, and keep what they told of that one', async () => {
      const source = new FixtureSource();
      for (const host of ['127.0.12.1', '127.0.12.2']) source.known.set(host, { cpus: 1 });
      await enrol('partly', '127.0.12.1', '127.0.12.2', '127.0.12.3');
      source.unread.set('127.0.12.3', 'it answers 500');
      start({ partly: source });
      await clock.advance(1000);
      expect(await sourceReadAt('127.0.12.3')).toBeNull();
      source.unread.set('127.0.12.1', 'it answers 500');
      source.known.set('127.0.12.2', { cpus: 2 });
      await clock.advance(REFRESH_MS);
      expect([await sourceFacts('127.0.12.1'), await sourceFacts('127.0.12.2')]).toEqual([
        { cpus: 1 },
        { cpus: 2 },
      ]);
      expect(await problemOf('partly')).toBe('it answers 500');
      source.unread.clear();
      await clock.advance(REFRESH_MS);
      expect(await problemOf('partly')).toBe('');
    });

    test('are asked for a new host soon, and for that alone', async () => {
      const source = new FixtureSource();
      await enrol('soon', '127.0.2.1');
      const sources = start({ soon: source });
      await clock.advance(10_000);
      source.known.set('127.0.2.2', { cpus: 8 });
      await enrol('soon', '127.0.2.2');
      sources.refreshSoon('soon');
      await clock.advance(1000);
      expect(await sourceFacts('127.0.2.2')).toEqual({ cpus: 8 });
      expect(source.reads).toEqual([['127.0.2.1'], ['127.0.2.2']]);
    });

    test('are not asked for new hosts again and again while they cannot be read', async () => {
      const source = new FixtureSource();
      source.problem = 'it is down';
      const sources = start({ down: source });
      await enrol('down', '127.0.3.1');
      await clock.advance(1000);
      for (let count = 0; count < 10; count += 1) {
        sources.refreshSoon('down');
        await clock.advance(1000);
      }
      expect(source.reads.length).toBeLessThanOrEqual(2);
    });

    test('are read at once when they say that something has changed, but not all the time', async () => {
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
      // The last change is not forgotten.
      source.known.set('127.0.4.1', { cpus: 2 });
      source.changed();
      await clock.advance(6000);
      expect(await sourceFacts('127.0.4.1')).toEqual({ cpus: 2 });
    });

    test('are asked for 100 hosts at a time, or for all where that is the same to them', async () => {
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

    test('hold up neither each other nor a stop', async () => {
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
      // It hangs once more.
      const reads = hanging.reads.length;
      await sources.stop();
      expect(await store.reads.sourceRefreshes.get('hanging')).toMatchObject({ claimedUntil: 0 });
      hanging.isHanging = false;
      start({ hanging });
      await clock.advance(6000);
      expect(hanging.reads.length).toBe(reads + 1);
      expect(await problemOf('hanging')).toBe('');
    });

    test('are read by one server, however many there are', async () => {
      const source = new FixtureSource();
      await enrol('shared', '127.0.8.1');
      for (let count = 0; count < 3; count += 1) start({ shared: source }, true);
      await clock.advance(30_000);
      // Each asks for it at its start: they may be configured differently.
      const readsAtStart = source.reads.length;
      expect(readsAtStart).toBeLessThanOrEqual(3);
      await clock.advance(10 * REFRESH_MS);
      expect(source.reads.length - readsAtStart).toBeGreaterThanOrEqual(9);
      expect(source.reads.length - readsAtStart).toBeLessThanOrEqual(11);
    });

    test('are read as before when the clock is set back', async () => {
      const source = new FixtureSource();
      await enrol('set-back', '127.0.11.1');
      start({ 'set-back': source });
      await clock.advance(10_000);
      clock.setWallClockBack(3_600_000);
      await clock.advance(2 * REFRESH_MS);
      expect(source.reads.length).toBeGreaterThanOrEqual(3);
      expect(source.reads.length).toBeLessThanOrEqual(4);
    });

    test('that a server left behind are read by another, once it is not heard of', async () => {
      const source = new FixtureSource();
      await enrol('left', '127.0.9.1');
      await claimAndAbandon('left');
      start({ left: source }, true);
      await clock.advance(99_000);
      expect(source.reads).toEqual([]);
      await clock.advance(6000);
      expect(source.reads).toEqual([['127.0.9.1']]);
    });

    test('that an earlier process left behind are read at once on a store of our own', async () => {
      const source = new FixtureSource();
      await enrol('earlier', '127.0.10.1');
      await claimAndAbandon('earlier');
      start({ earlier: source }, false);
      await clock.advance(6000);
      expect(source.reads).toEqual([['127.0.10.1']]);
    });
  },
);
