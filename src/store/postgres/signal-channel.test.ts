import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, runSql } from '../../../test/harness/stores/stores.ts';
import { until } from '../../../test/harness/until.ts';
import type { Signal } from '../../domain/events/signal.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { SignalChannel } from './signal-channel.ts';

const RECONCILE = `reconcile ${toRecordName('web')}` as const;

const END_ALL =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hostler notifications' and datname = current_database()";

describePostgres('the signals of servers on one PostgreSQL', () => {
  let place: StorePlace;
  let receivedByOne: Signal[];
  let receivedByOther: Signal[];
  let one: SignalChannel;
  let other: SignalChannel;

  beforeAll(async () => {
    place = await makeStorePlace('postgres');
  });
  afterAll(() => place.remove());

  beforeEach(async () => {
    [receivedByOne, receivedByOther] = [[], []];
    one = new SignalChannel(
      place.location,
      signals => receivedByOne.push(...signals),
      () => {},
    );
    other = new SignalChannel(
      place.location,
      signals => receivedByOther.push(...signals),
      () => {},
    );
    await waitForConnections();
  });
  afterEach(async () => {
    await one.close();
    await other.close();
  });

  /** What may have been missed is said when a connection is there; from then on everything is heard. */
  async function waitForConnections() {
    await until('both listen', () => receivedByOne.includes('log') && receivedByOther.includes('log'));
    receivedByOne.length = 0;
    receivedByOther.length = 0;
  }

  test('are heard by the others, once each, and not by the one who gives them', async () => {
    one.notify([RECONCILE, 'due', RECONCILE]);
    one.notify(['due']);
    await until('both', () => receivedByOther.length >= 2);
    other.notify(['log']);
    await until('the answer', () => receivedByOne.length > 0);
    expect([...receivedByOther].sort()).toEqual(['due', RECONCILE]);
    expect(receivedByOne).toEqual(['log']);
  });

  test('may be as long as a hint of many hosts', async () => {
    const hosts = Array.from({ length: 100 }, (_, index) => `${'2001:'.repeat(7)}1${100 + index}`);
    const notification = `output ${toRecordName('c'.repeat(128))} ${'x'.repeat(64)} ${hosts.join()}` as const;
    one.notify([notification, 'output_subscribed']);
    await until('both', () => receivedByOther.length >= 2);
    expect(receivedByOther).toEqual([notification, 'output_subscribed']);
  });

  test('are not heard when they are for the server itself', async () => {
    one.notify(['outbox']);
    one.notify(['due']);
    await until('the second', () => receivedByOther.length > 0);
    expect(receivedByOther).toEqual(['due']);
  });

  test('are heard again after a connection was ended, with all that may have been missed', async () => {
    await runSql(place, END_ALL);
    await until('both are back', () => receivedByOne.length >= 2 && receivedByOther.length >= 2);
    expect([receivedByOne, receivedByOther]).toEqual([
      ['due', 'log'],
      ['due', 'log'],
    ]);
    one.notify([RECONCILE]);
    await until('it is heard', () => receivedByOther.includes(RECONCILE));
  });

  test('that make no sense are passed over', async () => {
    await runSql(place, "notify hostler, 'nonsense'; notify hostler, 'reconcile a b'; notify hostler, 'due'");
    await until('the last', () => receivedByOne.includes('due'));
    expect(receivedByOne).toEqual(['due']);
  });

  test('that were given last are sent before it is closed', async () => {
    one.notify([RECONCILE]);
    await one.close();
    await until('it is heard', () => receivedByOther.includes(RECONCILE));
  });

  test('take one connection for each server, and none when they are closed', async () => {
    const client = new pg.Client({ connectionString: place.location });
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
    await until('they are gone', async () => (await connections()) === 0);
    await client.end();
  });
});

test('that others cannot be heard is told, once, with the reason', async () => {
  const warnings: string[] = [];
  const channel = new SignalChannel(
    'postgres://nobody@127.0.0.1:1/nothing',
    () => {},
    message => warnings.push(message),
  );
  await until('it is told', () => warnings.length > 0);
  await channel.close();
  expect(warnings).toEqual([
    expect.stringMatching(/^connection for notifications lost.*ECONNREFUSED.*store_direct/),
  ]);
});
