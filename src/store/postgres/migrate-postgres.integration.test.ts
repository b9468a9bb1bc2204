import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, describePostgres, runSql } from '../../../test/harness/stores/stores.ts';
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

/** The migrations of a newer version. */
const withExtraMigration = (name: string, ...statements: string[]): Migrations => ({
  ...migrations,
  [name]: {
    up: async (db: Kysely<unknown>) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  },
});

describePostgres('the migration of a store', () => {
  let database: TestDatabase;
  /** A server of the previous version that runs all the time. */
  let previousServer: Store;

  const open = (supported: Migrations, options: Parameters<typeof openPostgres>[1] = {}) =>
    openPostgres(database.location, { supported, ...options });

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    previousServer = await openPostgres(database.location);
  });
  afterAll(async () => {
    await previousServer.close();
    await database.remove();
  });

  test('rolls back with a clear error when its tables stay locked', async () => {
    const otherSession = new pg.Client({ connectionString: database.location });
    await otherSession.connect();
    await otherSession.query('begin; select * from clusters');
    const supported = withExtraMigration(
      '9001-blocked',
      'create table t (n int)',
      'alter table clusters add column x text',
    );
    const opening = open(supported, { lockTimeoutMs: 100, timeoutMs: 0 });
    await expect(opening).rejects.toThrow(StoreSchemaError);
    // A later start can succeed.
    await expect(opening).rejects.not.toThrow(PermanentError);
    await expect(opening).rejects.toThrow('pg_stat_activity');
    await otherSession.query('rollback');
    expect((await otherSession.query("select to_regclass('t') as t")).rows).toEqual([{ t: null }]);
    await otherSession.end();
  });

  test('retries while its tables are locked, without blocking other servers', async () => {
    const otherSession = new pg.Client({ connectionString: database.location });
    await otherSession.connect();
    await otherSession.query('begin; select * from clusters');
    const warnings: string[] = [];
    const onWarning = (message: string) => {
      warnings.push(message);
      void otherSession.query('commit').then(() => otherSession.end());
    };
    const supported = withExtraMigration('9001-retried', 'alter table clusters add column retried text');
    const opening = open(supported, { lockTimeoutMs: 300, onWarning });
    await previousServer.transaction(records => records.clusters.insertOrLock(CLUSTER));
    await (await opening).close();
    expect(warnings).toEqual(['the store migration is blocked by locks on its tables; retrying']);
  });

  test('can exceed the statement timeout, while new servers wait and older servers continue', async () => {
    const supported = {
      ...withExtraMigration('9001-retried'),
      ...withExtraMigration('9002-slow', 'select pg_sleep(0.8)', 'alter table hosts add column z text'),
    };
    const url = new URL(database.location);
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

  test('leaves a running server of the previous version working, but that version cannot start again', async () => {
    expect(await previousServer.hasCurrentSchema()).toBe(true);
    const update = { ...CLUSTER, revision: 's' };
    await previousServer.transaction(records => records.clusters.update(update));
    expect(await previousServer.reads.clusters.get(CLUSTER.name)).toEqual(update);
    await expect(openPostgres(database.location)).rejects.toThrow(
      /newer than this version of Hostler supports \(it has the migration 9001-retried\); start the version/,
    );
  });
});

describePostgres('the start of a server', () => {
  test('rejects a database that is not in UTF-8', async () => {
    const database = await createTestDatabase('postgres');
    const name = `latin_${process.pid}`;
    await runSql(database, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    const url = new URL(database.location);
    url.pathname = `/${name}`;
    await expect(openPostgres(url.href)).rejects.toThrow('the encoding of the database is LATIN1, but must be UTF8');
    await runSql(database, `drop database ${name} with (force)`);
    await database.remove();
  });

  test('rejects a role that cannot create tables', async () => {
    const database = await createTestDatabase('postgres');
    const role = `weak_${process.pid}`;
    await runSql(database, `create role ${role} login; revoke create on schema public from public`);
    const url = new URL(database.location);
    url.username = role;
    await expect(openPostgres(url.href)).rejects.toThrow(/the role weak_\d+ cannot create tables in this database/);
    await database.remove();
    const other = await createTestDatabase('postgres');
    await runSql(other, `drop role ${role}`);
    await other.remove();
  });
});
