import { beforeEach, expect, test } from 'vitest';
import { describeStore, runSql } from '../../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';

const UPDATE_REJECTED = 'event log rows cannot be updated';
const DELETE_REJECTED = 'event log rows can only be deleted by pruning';

describeStore('the event log table', { per: 'test' }, ({ kind, store, database }) => {
  beforeEach(async () => {
    const event = toOutboxEntry({ type: 'operations.paused', subject: '' }, LOCAL_ACTOR, '2030-01-01');
    await store().transaction(async ({ eventLog }) => {
      const entries = [1, 2, 3].map(id => ({ ...event, id, hash: 'h' }));
      await eventLog.append(entries, { ...(await eventLog.getState()), lastId: 3, lastHash: 'h' });
    });
  });

  const ids = async () => (await store().reads.eventLog.readAfter(0, 10)).map(({ id }) => id);

  test.each<[string, string]>([
    ["update log set actor = 'other'", UPDATE_REJECTED],
    ["update log set subject = '' where id = 2", UPDATE_REJECTED],
    ['delete from log', DELETE_REJECTED],
    ['delete from log where id = 1', DELETE_REJECTED],
    [kind === 'postgres' ? 'truncate log' : 'delete from log where id = 3', DELETE_REJECTED],
  ])('rejects %s', async (statement, reason) => {
    await expect(runSql(database(), statement)).rejects.toThrow(reason);
    expect(await ids()).toEqual([1, 2, 3]);
  });

  test('allows deletion only at the start, by pruning', async () => {
    const state = await store().reads.eventLog.getState();
    await store().transaction(({ eventLog }) => eventLog.prune({ ...state, firstId: 3 }));
    expect(await ids()).toEqual([3]);
    await expect(runSql(database(), 'delete from log where id = 3')).rejects.toThrow(DELETE_REJECTED);
  });
});
