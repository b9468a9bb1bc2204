import { beforeAll, expect, test } from 'vitest';
import { onEachStoreAlone } from '../../../test/harness/stores/on-each-store-alone.ts';
import { runSql } from '../../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';

const NEVER = 'event log rows cannot be updated';
const ONLY_CUT = 'event log rows can only be deleted by pruning';

onEachStoreAlone('the log in the database', { per: 'suite', isForgetful: true }, ({ kind, store, place }) => {
  beforeAll(async () => {
    const told = toOutboxEntry({ type: 'operations.paused', subject: '' }, LOCAL_ACTOR, '2030-01-01');
    await store().transaction(async ({ log }) => {
      const entries = [1, 2, 3].map(id => ({ ...told, id, hash: 'h' }));
      await log.append(entries, { ...(await log.state()), lastId: 3, lastHash: 'h' });
    });
  });

  const ids = async () => (await store().reads.log.after(0, 10)).map(({ id }) => id);

  test.each<[string, string]>([
    ["update log set actor = 'somebody else'", NEVER],
    ["update log set subject = '' where id = 2", NEVER],
    ['delete from log', ONLY_CUT],
    ['delete from log where id = 1', ONLY_CUT],
    [kind === 'postgres' ? 'truncate log' : 'delete from log where id = 3', ONLY_CUT],
  ])('refuses %s', async (statement, reason) => {
    await expect(runSql(place(), statement)).rejects.toThrow(reason);
    expect(await ids()).toEqual([1, 2, 3]);
  });

  test('is cut at the front, and nowhere else', async () => {
    const state = await store().reads.log.state();
    await store().transaction(({ log }) => log.cut({ ...state, firstId: 3 }));
    expect(await ids()).toEqual([3]);
    await expect(runSql(place(), 'delete from log where id = 3')).rejects.toThrow(ONLY_CUT);
  });
});
