import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listOutboxEntries } from '../../../test/harness/events/outbox-entries.ts';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, openTestDatabase } from '../../../test/harness/stores/stores.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { Store } from '../../store/store.ts';
import { RejectionRecorder } from './rejection-recorder.ts';

const MINUTE_MS = 60_000;
const ANN = toRecordName('ann');

describe('RejectionRecorder', () => {
  let database: TestDatabase;
  let store: Store;
  let clock: VirtualClock;
  let recorder: RejectionRecorder;
  let transactions: number;
  let running: number;
  let isStoreDown: boolean;
  const warnings: string[] = [];

  beforeEach(async () => {
    database = await createTestDatabase('sqlite', { isMigrated: true });
    store = await openTestDatabase(database);
    [transactions, running, isStoreDown] = [0, 0, false];
    warnings.length = 0;
    clock = new VirtualClock({ isIdle: () => running === 0 });
    const transaction: Store['transaction'] = async run => {
      [transactions, running] = [transactions + 1, running + 1];
      try {
        if (isStoreDown) throw new Error('store unavailable');
        return await store.transaction(run);
      } finally {
        running -= 1;
      }
    };
    const log = { warn: (_: unknown, message?: string) => warnings.push(message ?? '') };
    recorder = new RejectionRecorder({ store: { transaction }, clock, log });
  });
  afterEach(async () => {
    await recorder.stop();
    expect(clock.pending).toBe(0);
    await store.close();
    await database.remove();
  });

  const actor = (account: string, requestId = 'r'): Actor => ({
    ...{ account, requestId },
    role: 'viewer',
    address: '127.0.0.9',
  });
  const reject = (name: string, { account = 'ann', requestId = 'r' } = {}) =>
    recorder.recordRequest(actor(account, requestId), {
      ...{ method: 'DELETE', path: `/api/v0/network/${name}`, subject: name },
      ...{ cluster: null, host: null, operation: null, status: 403, code: 'forbidden' },
    });
  const rejectLogin = (address: string, account = ANN) =>
    recorder.recordRejectedLogin({ account, address, code: 'unauthorized' });
  /** Returns actor, subject and count of each event. */
  const readEvents = async () =>
    (await listOutboxEntries(store)).map(({ type, actor: account, subject, data }) => [
      ...(type === 'request.denials_suppressed' ? [`${data['type']} suppressed`] : []),
      `${account} ${subject}`,
      data['count'],
    ]);

  test('records actor, address and error code', async () => {
    reject('n', { requestId: 'r-1' });
    await clock.advance(0);
    expect(await listOutboxEntries(store)).toMatchObject([
      {
        ...{ type: 'request.denied', subject: 'n', actor: 'ann', address: '127.0.0.9', requestId: 'r-1' },
        at: '2030-01-01T00:00:00.000000',
        data: { method: 'DELETE', path: '/api/v0/network/n', status: 403, code: 'forbidden', count: 1 },
      },
    ]);
  });

  test('writes at most once per second', async () => {
    for (let index = 0; index < 50; index += 1) reject(`n-${index}`);
    await clock.advance(900);
    expect([(await readEvents()).length, transactions]).toEqual([50, 1]);
    for (let index = 50; index < 90; index += 1) reject(`n-${index}`);
    await clock.advance(99);
    expect(transactions).toBe(1);
    await clock.advance(1);
    expect([(await readEvents()).length, transactions]).toEqual([90, 2]);
  });

  test('writes identical rejections once per minute with a count', async () => {
    for (let second = 0; second < 90; second += 1) {
      reject('n', { requestId: `r-${second}` });
      await clock.advance(1000);
    }
    expect(await readEvents()).toEqual([
      ['ann n', 1],
      ['ann n', 59],
    ]);
    expect((await listOutboxEntries(store))[1]).toMatchObject({
      requestId: 'r-59',
      at: '2030-01-01T00:00:59.000000',
    });
    await clock.advance(MINUTE_MS);
    expect((await readEvents())[2]).toEqual(['ann n', 30]);
    reject('n');
    await clock.advance(2 * MINUTE_MS);
    reject('n');
    await clock.advance(1);
    expect((await readEvents()).slice(3)).toEqual([
      ['ann n', 1],
      ['ann n', 1],
    ]);
  });

  test('limits the rejections of one account and counts suppressed ones', async () => {
    for (let index = 0; index < 150; index += 1) reject(`n-${index}`);
    reject('n', { account: 'bob' });
    await clock.advance(1);
    const events = await readEvents();
    expect(events).toHaveLength(102);
    expect(events).toContainEqual(['bob n', 1]);
    expect(events).toContainEqual(['request.denied suppressed', 'ann ', 50]);
  });

  test('records 1000 different rejections per minute', async () => {
    for (let index = 0; index < 1100; index += 1) reject('n', { account: `account-${index}` });
    await clock.advance(1);
    expect([(await readEvents()).length, (await readEvents()).at(-1)]).toEqual([
      1001,
      ['request.denied suppressed', ' ', 100],
    ]);
    await clock.advance(MINUTE_MS);
    reject('later', { account: 'later' });
    await clock.advance(1000);
    expect((await readEvents()).at(-1)).toEqual(['later later', 1]);
  });

  test('records at most 100 failed logins per minute, one per account and address', async () => {
    for (let index = 0; index < 300; index += 1) rejectLogin(`127.0.1.${index % 150}`);
    await clock.advance(1);
    expect((await readEvents()).length).toBe(101);
    expect((await readEvents()).at(-1)).toEqual(['account.login_failed suppressed', ' ', 100]);
    expect((await listOutboxEntries(store))[0]).toMatchObject({
      ...{ type: 'account.login_failed', subject: 'ann', actor: '', address: '127.0.1.0' },
      data: { account_exists: true, code: 'unauthorized', count: 2 },
    });
  });

  test('records a failed login without a name that is not an account', async () => {
    recorder.recordRejectedLogin({ account: undefined, address: '127.0.0.9', code: 'unauthorized' });
    await recorder.flush();
    expect(await listOutboxEntries(store)).toMatchObject([{ subject: '', data: { account_exists: false } }]);
  });

  test('retries once the store is available again, without duplicates', async () => {
    isStoreDown = true;
    reject('n');
    await clock.advance(1500);
    expect(new Set(warnings)).toEqual(new Set(['cannot record denied requests in the audit log; retrying']));
    isStoreDown = false;
    await clock.advance(1000);
    expect(await readEvents()).toEqual([['ann n', 1]]);
  });

  test('writes all pending counts when it stops', async () => {
    reject('n');
    await clock.advance(1);
    reject('n');
    reject('other');
    await recorder.stop();
    expect(await readEvents()).toEqual([
      ['ann n', 1],
      ['ann n', 1],
      ['ann other', 1],
    ]);
  });
});
