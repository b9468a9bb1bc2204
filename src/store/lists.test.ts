// What long lists and counts stand on: lines that are kept ready, parts of one moment, and indexes. On both engines.

import Database from 'better-sqlite3';
import fc from 'fast-check';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { StorePlace } from '../../test/harness/stores.ts';
import { describeStores, makeStorePlace, runSql } from '../../test/harness/stores.ts';
import type { Address } from '../domain/address.ts';
import type { Host } from '../domain/host.ts';
import { addressInLine, newHost } from '../domain/host.ts';
import { recordNameOf } from '../domain/record-name.ts';
import type { Sealed } from '../domain/secret.ts';
import { HOST_OSES, HOST_STATUSES } from '../domain/vocabulary.ts';
import { viewListedHost } from '../http/views/host.ts';
import { migrations } from './migrations/index.ts';
import { postgresDialect } from './postgres/dialect.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openPool } from './postgres/pool.ts';
import { SqliteConnection } from './sqlite/connection.ts';
import { openDatabase } from './sqlite/database.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

const HOSTS = 3000;
const addressOf = (index: number) => `127.1.${Math.floor(index / 250)}.${index % 250}` as Address;
const crowd = recordNameOf('crowd');
const few = recordNameOf('few');

const open = ({ kind, folder, location }: StorePlace) =>
  kind === 'sqlite' ? openSqlite(folder) : openPostgres(location);

const kiB = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const anyHost: fc.Arbitrary<Host> = fc.record({
  address: fc.oneof(fc.ipV4(), fc.constantFrom('::1', '2001:db8::ff')) as fc.Arbitrary<Address>,
  enrolment: fc.constant('e'),
  status: fc.constantFrom(...HOST_STATUSES),
  reason: fc.string(),
  os: fc.constantFrom(...HOST_OSES),
  cpus: fc.integer({ min: 0, max: 100_000 }),
  memoryKib: kiB,
  spaceKib: kiB,
  lastCheck: fc.constantFrom('', '2015-12-17T15:48:18.710454'),
  source: fc.constant(''),
  cluster: fc.constant(null),
});

describeStores(
  kind => `lists, on ${kind}`,
  kind => {
    let place: StorePlace;
    let store: Store;
    const statements = new Set<string>();

    beforeAll(async () => {
      const { prepare } = Database.prototype;
      vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql) {
        statements.add(sql);
        return prepare.call(this, sql);
      });
      place = await makeStorePlace(kind);
      store = await open(place);
      await store.transaction(async records => {
        for (const name of [crowd, few]) {
          const network = recordNameOf('default');
          await records.clusters.insertOrLock({ name, network, containerManager: null, revision: 'r' });
        }
        for (let index = 0; index < HOSTS; index += 1) {
          const cluster = index < 10 ? few : crowd;
          await records.hosts.insertOrLock(newHost(addressOf(index), { enrolment: 'e', cluster }));
        }
      });
      await runSql(place, 'analyze');
    });
    afterAll(async () => {
      vi.restoreAllMocks();
      await store.close();
      await place.remove();
    });

    test('what the store keeps ready for lists is what the interface tells of a host', async () => {
      const own = await makeStorePlace(kind);
      const opened = await open(own);
      await fc.assert(
        fc.asyncProperty(anyHost, async host => {
          await opened.transaction(async records => {
            if (await records.hosts.insertOrLock(host)) await records.hosts.update(host);
          });
          const kept = await opened.reads.hosts.line(host.address);
          expect(JSON.parse(kept?.line ?? '')).toEqual(viewListedHost(host));
          expect(Object.keys(JSON.parse(kept?.line ?? ''))).toEqual(Object.keys(viewListedHost(host)));
        }),
        { numRuns: 60 },
      );
      await opened.close();
      await own.remove();
    });

    test('reads of a snapshot see one moment, while others change and read what they changed', async () => {
      const [first, last] = [addressOf(10), addressOf(HOSTS - 1)];
      const statusOf = async (reads: Pick<Store['reads'], 'hosts'>, address: Address) =>
        (await reads.hosts.get(address))?.status;
      const seen = await store.snapshot(async reads => {
        const before = await statusOf(reads, first);
        await store.transaction(records => records.hosts.setStatus([first, last], 'failed'));
        return [before, await statusOf(reads, last), await statusOf(store.reads, last)];
      });
      expect(seen).toEqual(['investigating', 'investigating', 'failed']);
      await store.transaction(records => records.hosts.setStatus([first, last], 'investigating'));
    });

    test('a snapshot that fails lets the next one go on', async () => {
      const failing = store.snapshot(async () => {
        throw new Error('in the middle');
      });
      await expect(failing).rejects.toThrow('in the middle');
      expect(await store.snapshot(async reads => (await reads.hosts.get(addressOf(0)))?.address)).toBe(
        addressOf(0),
      );
    });

    /** What is asked often must not read every host. */
    const askOften = async () => {
      await store.reads.clusters.getWithCounts(few);
      await store.reads.hosts.memberAddresses(few, {});
      await store.reads.hosts.line(addressOf(5));
      await store.reads.hosts.list({}, { limit: 10, after: addressOf(100) });
      await store.reads.hosts.list({ cluster: few }, { limit: 10 });
      await store.reads.hosts.list({ status: 'failed' }, { limit: 10 });
    };

    /** How SQLite goes about what is asked. */
    async function plans(): Promise<readonly string[]> {
      statements.clear();
      await store.close();
      store = await open(place);
      await askOften();
      const database = new Database(`${place.folder}/hostler.sqlite`, { readonly: true });
      const asked = [...statements].filter(sql => /from "(hosts|clusters)"/.test(sql));
      const found = asked.map(sql => {
        const values = Array.from(sql.matchAll(/\?/g), () => 'x');
        const steps = database.prepare<string[], { detail: string }>(`explain query plan ${sql}`);
        return steps.all(...values).map(step => step.detail);
      });
      database.close();
      expect(found.length).toBeGreaterThanOrEqual(5);
      return found.flat();
    }

    /** How often PostgreSQL has read all hosts. A server process tells that when it ends, at the latest. */
    async function scans(): Promise<number> {
      const client = new pg.Client({ connectionString: place.location });
      await client.connect();
      const { rows } = await client.query("select seq_scan from pg_stat_user_tables where relname = 'hosts'");
      await client.end();
      return Number(rows[0]?.seq_scan);
    }

    test('counts and pages are found by an index, however many hosts there are', async () => {
      if (kind === 'sqlite') {
        expect((await plans()).filter(step => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
        return;
      }
      await store.close();
      store = await open(place);
      const before = await scans();
      for (let count = 0; count < 20; count += 1) await askOften();
      await store.close();
      expect(await scans()).toBe(before);
      store = await open(place);
    });

    test('a store of the first version keeps its hosts, their access and their clusters', async () => {
      const old = await makeStorePlace(kind);
      const db = new Kysely<Tables>({
        dialect:
          kind === 'sqlite'
            ? sqliteDialect(
                new SqliteConnection(openDatabase(`${old.folder}/hostler.sqlite`, { readonly: false })),
              )
            : postgresDialect(openPool(old.location)),
      });
      const provider = { getMigrations: async () => ({ ...migrations }) };
      const { error } = await new Migrator({ db, provider }).migrateTo('0001-records');
      expect(error).toBeUndefined();
      await db
        .insertInto('clusters')
        .values({ name: few, network: recordNameOf('n'), container_manager: null, revision: 'r' })
        .execute();
      const { enrolment, reason, os, cpus, source } = newHost(addressOf(1), { enrolment: 'e' });
      const columns = { enrolment, reason, os, cpus, source, memory_kib: 7, space_kib: 8, last_check: '' };
      await db
        .insertInto('hosts')
        .values({ ...columns, address: addressOf(1), sort_key: 'k', status: 'active', cluster: few })
        .execute();
      const access = { remote_user: 'root', ssh_port: 22, ssh_priv_key: 'v1.x.y' as Sealed };
      await db
        .insertInto('host_access')
        .values({ ...access, host: addressOf(1), host_keys_json: '[]' })
        .execute();
      await db.destroy();

      const opened = await open(old);
      expect((await opened.reads.hosts.list({}, {})).items.map(addressInLine)).toEqual([addressOf(1)]);
      expect(await opened.reads.hosts.get(addressOf(1))).toMatchObject({ cluster: few, memoryKib: 7 });
      expect(await opened.reads.hostAccess.get(addressOf(1))).toMatchObject({ sshPrivKey: 'v1.x.y' });
      // What refers to something that is not there is refused as before.
      const orphan = opened.transaction(records =>
        records.hostAccess.insert(addressOf(2), {
          remoteUser: 'root',
          sshPort: 22,
          hostKeys: [],
          sshPrivKey: 'v1.x.y' as Sealed,
        }),
      );
      await expect(orphan).rejects.toThrow(/foreign key/i);
      await opened.close();
      await old.remove();
    });
  },
);
