import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, describePostgres, runSql } from '../../../test/harness/stores/stores.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import type { Signal } from '../../domain/events/signal.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { SignalChannel } from './signal-channel.ts';

const RECONCILE = `reconcile ${toRecordName('web')}` as const;

const END_ALL =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hostler notifications' and datname = current_database()";

describePostgres('SignalChannel', () => {
  let database: TestDatabase;
  let receivedByOne: Signal[];
  let receivedByOther: Signal[];
  let one: SignalChannel;
  let other: SignalChannel;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterAll(() => database.remove());

  beforeEach(async () => {
    [receivedByOne, receivedByOther] = [[], []];
    one = new SignalChannel(
      database.location,
      signals => receivedByOne.push(...signals),
      () => {},
    );
    other = new SignalChannel(
      database.location,
      signals => receivedByOther.push(...signals),
      () => {},
    );
    await waitForConnections();
  });
  afterEach(async () => {
    await one.close();
    await other.close();
  });

  /** A channel reports the catch-up signals when it is connected. */
  async function waitForConnections() {
    await waitUntil('both listen', () => receivedByOne.includes('log') && receivedByOther.includes('log'));
    receivedByOne.length = 0;
    receivedByOther.length = 0;
  }

  test('passes each signal once to the other servers and not to the sender', async () => {
    one.notify([RECONCILE, 'due', RECONCILE]);
    one.notify(['due']);
    await waitUntil('both', () => receivedByOther.length >= 2);
    other.notify(['log']);
    await waitUntil('the response', () => receivedByOne.length > 0);
    expect([...receivedByOther].sort()).toEqual(['due', RECONCILE]);
    expect(receivedByOne).toEqual(['log']);
  });

  test('accepts a notification of the maximum length', async () => {
    const hosts = Array.from({ length: 100 }, (_, index) => `${'2001:'.repeat(7)}1${100 + index}`);
    const notification = `output ${toRecordName('c'.repeat(128))} ${'x'.repeat(64)} ${hosts.join()}` as const;
    one.notify([notification, 'log']);
    await waitUntil('both', () => receivedByOther.length >= 2);
    expect(receivedByOther).toEqual([notification, 'log']);
  });

  test('does not send signals that are only for the server itself', async () => {
    one.notify(['outbox']);
    one.notify(['due']);
    await waitUntil('the second', () => receivedByOther.length > 0);
    expect(receivedByOther).toEqual(['due']);
  });

  test('reconnects after a lost connection and reports the catch-up signals', async () => {
    await runSql(database, END_ALL);
    await waitUntil('both are reconnected', () => receivedByOne.length >= 2 && receivedByOther.length >= 2);
    expect([receivedByOne, receivedByOther]).toEqual([
      ['due', 'log'],
      ['due', 'log'],
    ]);
    one.notify([RECONCILE]);
    await waitUntil('the signal is received', () => receivedByOther.includes(RECONCILE));
  });

  test('ignores invalid signals', async () => {
    await runSql(database, "notify hostler, 'nonsense'; notify hostler, 'reconcile a b'; notify hostler, 'due'");
    await waitUntil('the last', () => receivedByOne.includes('due'));
    expect(receivedByOne).toEqual(['due']);
  });

  test('sends pending signals before it closes', async () => {
    one.notify([RECONCILE]);
    await one.close();
    await waitUntil('the signal is received', () => receivedByOther.includes(RECONCILE));
  });

  test('uses one connection per server and closes it', async () => {
    const client = new pg.Client({ connectionString: database.location });
    await client.connect();
    const connections = async () => {
      const { rows } = await client.query(
        "select count(*)::int as count from pg_stat_activity where application_name = 'hostler notifications' and datname = current_database()",
      );
      return rows[0].count;
    };
    expect(await connections()).toBe(2);
    await one.close();
    await other.close();
    await waitUntil('the connections are closed', async () => (await connections()) === 0);
    await client.end();
  });
});

test('SignalChannel reports a lost connection once, with the reason', async () => {
  const warnings: string[] = [];
  const channel = new SignalChannel(
    'postgres://nobody@127.0.0.1:1/nothing',
    () => {},
    message => warnings.push(message),
  );
  await waitUntil('a warning', () => warnings.length > 0);
  await channel.close();
  expect(warnings).toEqual([expect.stringMatching(/^connection for notifications lost.*ECONNREFUSED.*store_direct/)]);
});
