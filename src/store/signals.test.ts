import { beforeAll, expect, test } from 'vitest';
import { happened, leaveWord } from '../../test/harness/events/happened.ts';
import { onEachStoreAlone } from '../../test/harness/stores/on-each-store-alone.ts';
import { AppError } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Records } from './records.ts';

onEachStoreAlone('signals of transactions', { per: 'suite' }, ({ store }) => {
  const heard: Signal[] = [];
  beforeAll(async () => {
    store().listen(signal => heard.push(signal));
  });

  /** What this server hears of a transaction; others may say `work` and `log` at any time. */
  async function heardOf(work: (records: Records) => Promise<unknown>): Promise<readonly Signal[]> {
    heard.length = 0;
    await store()
      .transaction(work)
      .catch(() => {});
    return heard.filter(signal => signal.startsWith('reconcile') || signal === 'outbox');
  }
  const news = `reconcile ${toRecordName('web')}` as const;

  test('are heard once each when it is committed, however often they were given', async () => {
    const all = await heardOf(async records => {
      records.signals.add(news);
      records.signals.add(news);
      await records.outbox.add([happened('a'), happened('b')]);
    });
    expect(all).toEqual([news, 'outbox']);
  });

  test('are not heard before', async () => {
    const all = await heardOf(async records => {
      records.signals.add(news);
      expect(heard).not.toContain(news);
    });
    expect(all).toEqual([news]);
  });

  test('are not heard of one that is refused, or fails', async () => {
    const refused = await heardOf(async records => {
      await records.outbox.add([happened('a')]);
      return new AppError('conflict', 'no');
    });
    const failed = await heardOf(async records => {
      await records.outbox.add([happened('a')]);
      throw new Error('no');
    });
    expect([...refused, ...failed]).toEqual([]);
  });

  test('are not heard by one who has stopped listening', async () => {
    const later: Signal[] = [];
    store().listen(signal => later.push(signal))();
    await leaveWord(store(), happened('a'));
    expect(later).toEqual([]);
  });
});
