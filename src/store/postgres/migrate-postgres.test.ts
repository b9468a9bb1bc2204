import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, runSql } from '../../../test/harness/stores/stores.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { PermanentError } from '../../lib/errors.ts';
import type { Migrations } from '../migrate.ts';
import { StoreSchemaError } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open-postgres.ts';

const CLUSTER = {
  name: toRecordName('c'),
  network: toRecordName('net'),
  containerManager: null,
  revision: 'r',
};

/** What a newer version would know. */
const withExtraMigration = (name: string, ...statements: string[]): Migrations => ({
  ...migrations,
  [name]: {
    up: async (db: Kysely<unknown>) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  },
});

describePostgres('a store that a newer version brings up to date', () => {
  let place: StorePlace;
  /** A server of the version before, which is at work all the time. */
  let previousServer: Store;

  const open = (supported: Migrations, options: Parameters<typeof openPostgres>[1] = {}) =>
    openPostgres(place.location, { supported, ...options });

  beforeAll(async () => {
    place = await makeStorePlace('postgres');
    previousServer = await openPostgres(place.location);
  });
  afterAll(async () => {
    await previousServer.close();
    await place.remove();
  });

  test('is left as it was, with a clear word, when its tables are in use all the time', async () => {
    const otherSession = new pg.Client({ connectionString: place.location });
    await otherSession.connect();
    await otherSession.query('begin; select * from clusters');
    const supported = withExtraMigration(
      '9001-in-vain',
      'create table t (n int)',
      'alter table clusters add column x text',
    );
    const opening = open(supported, { lockTimeoutMs: 100, timeoutMs: 0 });
    await expect(opening).rejects.toThrow(StoreSchemaError);
    // A start a moment later may find them free.
    await expect(opening).rejects.not.toThrow(PermanentError);
    await expect(opening).rejects.toThrow('pg_stat_activity');
    await otherSession.query('rollback');
    expect((await otherSession.query("select to_regclass('t') as t")).rows).toEqual([{ t: null }]);
    await otherSession.end();
  });

  test('is tried again while its tables are in use, and lets others go on meanwhile', async () => {
    const otherSession = new pg.Client({ connectionString: place.location });
    await otherSession.connect();
    await otherSession.query('begin; select * from clusters');
    const warnings: string[] = [];
    const onWarning = (message: string) => {
      warnings.push(message);
      void otherSession.query('commit').then(() => otherSession.end());
    };
    const supported = withExtraMigration('9001-patient', 'alter table clusters add column patient text');
    const opening = open(supported, { lockTimeoutMs: 300, onWarning });
    await previousServer.transaction(records => records.clusters.insertOrLock(CLUSTER));
    await (await opening).close();
    expect(warnings).toEqual(['the store migration is blocked by locks on its tables; retrying']);
  });

  test('may take longer than any other statement; servers that start meanwhile wait, and older ones go on', async () => {
    const supported = {
      ...withExtraMigration('9001-patient'),
      ...withExtraMigration('9002-slow', 'select pg_sleep(0.8)', 'alter table hosts add column z text'),
    };
    const url = new URL(place.location);
    url.searchParams.set('options', '-c statement_timeout=500 -c lock_timeout=500');
    const warnings: string[] = [];
    const openings = [1, 2].map(() =>
      openPostgres(url.href, {
        supported,
        responseTimeoutMs: 600,
        onWarning: message => warnings.push(message),
      }),
    );
    await previousServer.transaction(records => records.clusters.lock(CLUSTER.name));
    for (const store of await Promise.all(openings)) {
      expect(await store.reads.clusters.get(CLUSTER.name)).toEqual(CLUSTER);
      await store.close();
    }
    expect(warnings).toEqual(['another server is migrating the store; waiting for it']);
  });

  test('is used by the version before as long as that runs, which cannot be started anew', async () => {
    expect(await previousServer.hasCurrentSchema()).toBe(true);
    const update = { ...CLUSTER, revision: 's' };
    await previousServer.transaction(records => records.clusters.update(update));
    expect(await previousServer.reads.clusters.get(CLUSTER.name)).toEqual(update);
    await expect(openPostgres(place.location)).rejects.toThrow(
      /newer than this version of Hostler supports \(it has the migration 9001-patient\); start the version/,
    );
  });
});

describePostgres('a database that cannot be used', () => {
  test('is told at the start when it is not in UTF-8', async () => {
    const place = await makeStorePlace('postgres');
    const name = `latin_${process.pid}`;
    await runSql(place, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    const url = new URL(place.location);
    url.pathname = `/${name}`;
    await expect(openPostgres(url.href)).rejects.toThrow(
      'the encoding of the database is LATIN1, but must be UTF8',
    );
    await runSql(place, `drop database ${name} with (force)`);
    await place.remove();
  });

  test('is told at the start when its role may not make tables', async () => {
    const place = await makeStorePlace('postgres');
    const role = `weak_${process.pid}`;
    await runSql(place, `create role ${role} login; revoke create on schema public from public`);
    const url = new URL(place.location);
    url.username = role;
    await expect(openPostgres(url.href)).rejects.toThrow(
      /the role weak_\d+ cannot create tables in this database/,
    );
    await place.remove();
    const other = await makeStorePlace('postgres');
    await runSql(other, `drop role ${role}`);
    await other.remove();
  });
});
