import { beforeAll, expect, test } from 'vitest';
import { describeStore } from '../../../../test/harness/stores/stores.ts';
import type { LogEntry } from '../../../domain/events/event-log.ts';
import type { LogQuery } from './event-log.ts';

/** More than one batch. */
const ENTRIES = 12_000;
/** After a restore, ids continue at the microseconds since 1970. */
const RESTORED = 1_800_000_000_000_000;
/** The entries of cluster `rare`, newest first. */
const RARE = [RESTORED, 11_999, 7001, 7000, 6999, 2000, 5];

const entry = (id: number): LogEntry => ({
  ...{ id, hash: '', type: 'cluster.created', subject: 'x', actor: 'admin', address: '', requestId: '' },
  at: `2026-01-01T00:00:00.${String(id).padStart(6, '0')}Z`,
  cluster: RARE.includes(id) ? 'rare' : 'web',
  ...{ host: null, operation: null, dataJson: '{}' },
});

describeStore('the event log', { per: 'suite' }, ({ store }) => {
  beforeAll(() =>
    store().transaction(async ({ eventLog }) => {
      const state = await eventLog.acquire();
      if (!state) throw new Error('the log is locked');
      const ids = [...Array.from({ length: ENTRIES }, (_, index) => index + 1), RESTORED];
      await eventLog.append(ids.map(entry), { ...state, lastId: RESTORED });
    }),
  );

  test.each<[string, LogQuery, { limit?: number; after?: number }, number[], boolean]>([
    ['all matches', { cluster: 'rare' }, {}, RARE, false],
    ['a full page', { cluster: 'rare' }, { limit: 2 }, [RESTORED, 11_999], true],
    ['the next page', { cluster: 'rare' }, { limit: 3, after: 7001 }, [7000, 6999, 2000], true],
    ['the last page', { cluster: 'rare' }, { limit: 3, after: 6999 }, [2000, 5], false],
    ['a page that ends with the last match', { cluster: 'rare' }, { limit: 7 }, RARE, false],
    ['nothing before the first entry', {}, { limit: 3, after: 1 }, [], false],
    ['nothing for an unknown cluster', { cluster: 'none' }, { limit: 3 }, [], false],
    ['the oldest entries', { until: entry(3).at }, { limit: 3 }, [2, 1], false],
    ['the newest entries', { since: entry(11_999).at }, { limit: 3 }, [RESTORED, 12_000, 11_999], false],
  ])('lists %s', async (_case, filter, page, ids, hasMore) => {
    const listed = await store().reads.eventLog.list(filter, page);
    expect({ ids: listed.items.map(({ id }) => id), hasMore: listed.hasMore }).toEqual({ ids, hasMore });
  });
});
