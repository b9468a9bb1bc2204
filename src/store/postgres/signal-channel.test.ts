import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, runSql } from '../../../test/harness/stores/stores.ts';
import { until } from '../../../test/harness/until.ts';
import type { Signal } from '../../domain/events/signal.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { SignalChannel } from './signal-channel.ts';

const NEWS = `reconcile ${toRecordName('web')}` as const;

const END_ALL =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hostler notifications' and datname = current_database()";

describePostgres('the signals of servers on one PostgreSQL', () => {
  let place: StorePlace;
  let heardByOne: Signal[];
  let heardByOther: Signal[];
  let one: SignalChannel;
  let other: SignalChannel;

  beforeAll(async () => {
    place = await makeStorePlace('postgres');
  });
  afterAll(() => place.remove());

  beforeEach(async () => {
    [heardByOne, heardByOther] = [[], []];
    one = new SignalChannel(
      place.location,
      signals => heardByOne.push(...signals),
      () => {},
    );
    other = new SignalChannel(
      place.location,
      signals => heardByOther.push(...signals),
      () => {},
    );
    await connected();
  });
  afterEach(async () => {
    await one.close();
    await other.close();
  });

  /** What may have been missed is said when a connection is there; from then on everything is heard. */
  async function connected() {
    await until('both listen', () => heardByOne.includes('log') && heardByOther.includes('log'));
    heardByOne.length = 0;
    heardByOther.length = 0;
  }

  test('are heard by the others, once each, and not by the one who gives them', async () => {
    one.announce([NEWS, 'due', NEWS]);
    one.announce(['due']);
    await until('both', () => heardByOther.length >= 2);
    other.announce(['log']);
    await until('the answer', () => heardByOne.length > 0);
    expect([...heardByOther].sort()).toEqual(['due', NEWS]);
    expect(heardByOne).toEqual(['log']);
  });

  test('may be as long as a hint of many hosts', async () => {
    const hosts = Array.from({ length: 100 }, (_, index) => `${'2001:'.repeat(7)}1${100 + index}`);
    const hint = `output ${toRecordName('c'.repeat(128))} ${'x'.repeat(64)} ${hosts.join()}` as const;
    one.announce([hint, 'output_subscribed']);
    await until('both', () => heardByOther.length >= 2);
    expect(heardByOther).toEqual([hint, 'output_subscribed']);
  });

  test('are not heard when they are for the server itself', async () => {
    one.announce(['outbox']);
    one.announce(['due']);
    await until('the second', () => heardByOther.length > 0);
    expect(heardByOther).toEqual(['due']);
  });

  test('are heard again after a connection was ended, with all that may have been missed', async () => {
    await runSql(place, END_ALL);
    await until('both are back', () => heardByOne.length >= 2 && heardByOther.length >= 2);
    expect([heardByOne, heardByOther]).toEqual([
      ['due', 'log'],
      ['due', 'log'],
    ]);
    one.announce([NEWS]);
    await until('it is heard', () => heardByOther.includes(NEWS));
  });

  test('that make no sense are passed over', async () => {
    await runSql(place, "notify hostler, 'nonsense'; notify hostler, 'reconcile a b'; notify hostler, 'due'");
    await until('the last', () => heardByOne.includes('due'));
    expect(heardByOne).toEqual(['due']);
  });

  test('that were given last are sent before it is closed', async () => {
    one.announce([NEWS]);
    await one.close();
    await until('it is heard', () => heardByOther.includes(NEWS));
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
  const told: string[] = [];
  const deaf = new SignalChannel(
    'postgres://nobody@127.0.0.1:1/nothing',
    () => {},
    message => told.push(message),
  );
  await until('it is told', () => told.length > 0);
  await deaf.close();
  expect(told).toEqual([
    expect.stringMatching(/^connection for notifications lost.*ECONNREFUSED.*store_direct/),
  ]);
});
