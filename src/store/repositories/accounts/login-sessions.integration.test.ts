import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeStore } from '../../../../test/harness/stores/stores.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import type { Store } from '../../store.ts';

const ANN = toRecordName('ann');
const BOB = toRecordName('bob');
const timeOf = (minute: number) => `2026-11-15T08:${String(minute).padStart(2, '0')}:00.000000`;

const account = (name: typeof ANN, revision: string) => ({
  ...({ name, role: 'viewer', passwordHash: '', revision } as const),
  ...{ createdAt: timeOf(0), changedAt: timeOf(0) },
});
const session = (id: string, minute: number, accountName = ANN) => ({
  ...{ id, secretDigest: `digest of ${id}`, account: accountName, accountRevision: 'r' },
  ...{ createdAt: timeOf(minute), expiresAt: timeOf(minute + 10), confirmedAt: null },
});

describeStore('login sessions', { per: 'suite' }, ({ store }) => {
  beforeAll(async () => {
    await store().transaction(async records => {
      for (const name of [ANN, BOB]) await records.accounts.insertOrLock(account(name, 'r'));
    });
  });
  beforeEach(() =>
    store().transaction(async ({ loginSessions, accounts }) => {
      await accounts.update(account(ANN, 'r'));
      await loginSessions.removeAll();
      for (const [id, minute] of [
        ['b', 2],
        ['c', 3],
        ['a', 1],
      ] as const)
        await loginSessions.insert(session(id, minute));
      await loginSessions.insert(session('of-bob', 1, BOB));
    }),
  );
  const idsOf = async (name = ANN) => (await store().reads.loginSessions.listByAccount(name)).map(({ id }) => id);

  test('are found by their digest, with the role of the account', async () => {
    expect(await store().reads.loginSessions.findByDigest('digest of b')).toEqual({
      ...session('b', 2),
      role: 'viewer',
    });
    expect(await store().reads.loginSessions.findByDigest('b')).toBeUndefined();
  });

  test('are confirmed individually', async () => {
    await store().transaction(({ loginSessions }) => loginSessions.confirm('b', timeOf(4)));
    const confirmations = (await store().reads.loginSessions.listByAccount(ANN)).map(({ id, confirmedAt }) => [
      id,
      confirmedAt,
    ]);
    expect(confirmations).toEqual([
      ['a', null],
      ['b', timeOf(4)],
      ['c', null],
    ]);
  });

  test.each<[string, (store: Store) => Promise<void>]>([
    ['was changed', target => target.transaction(records => records.accounts.update(account(ANN, 'later')))],
    ['was removed', target => target.transaction(records => records.accounts.remove(ANN))],
    [
      'was removed and created again',
      target =>
        target.transaction(async ({ accounts }) => {
          await accounts.remove(ANN);
          await accounts.insertOrLock(account(ANN, 'recreated'));
        }),
    ],
  ])('are not found after the account %s', async (_case, change) => {
    await change(store());
    expect(await store().reads.loginSessions.findByDigest('digest of b')).toBeUndefined();
    expect((await store().reads.loginSessions.findByDigest('digest of of-bob'))?.account).toBe('bob');
    await store().transaction(records => records.accounts.insertOrLock(account(ANN, 'r')));
  });

  test('are listed by account, oldest first', async () => {
    expect([await idsOf(), await idsOf(BOB)]).toEqual([['a', 'b', 'c'], ['of-bob']]);
  });

  test('are removed by their ids', async () => {
    await store().transaction(records => records.loginSessions.remove([]));
    await store().transaction(records => records.loginSessions.remove(['a', 'c', 'unknown']));
    expect([await idsOf(), await idsOf(BOB)]).toEqual([['b'], ['of-bob']]);
  });

  test('are removed after their expiry, for all accounts', async () => {
    await store().transaction(records => records.loginSessions.removeExpired(timeOf(12)));
    expect([await idsOf(), await idsOf(BOB)]).toEqual([['c'], []]);
  });

  test('must have a unique digest', async () => {
    const again = store().transaction(records =>
      records.loginSessions.insert({ ...session('d', 4), secretDigest: 'digest of a' }),
    );
    await expect(again).rejects.toThrow();
    expect(await idsOf()).toEqual(['a', 'b', 'c']);
  });
});
