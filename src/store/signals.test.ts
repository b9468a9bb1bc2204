import { beforeAll, expect, test } from 'vitest';
import { happened, leaveWord } from '../../test/harness/events/happened.ts';
import { onEachStoreAlone } from '../../test/harness/stores/on-each-store-alone.ts';
import { AppError } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Repositories } from './repositories/index.ts';

onEachStoreAlone('signals of transactions', { per: 'suite' }, ({ store }) => {
  const received: Signal[] = [];
  beforeAll(async () => {
    store().listen(signal => received.push(signal));
  });

  /** What this server hears of a transaction; others may say `work` and `log` at any time. */
  async function signalsOf(run: (records: Repositories) => Promise<unknown>): Promise<readonly Signal[]> {
    received.length = 0;
    await store()
      .transaction(run)
      .catch(() => {});
    return received.filter(signal => signal.startsWith('reconcile') || signal === 'outbox');
  }
  const reconcile = `reconcile ${toRecordName('web')}` as const;

  test('are heard once each when it is committed, however often they were given', async () => {
    const all = await signalsOf(async records => {
      records.signals.add(reconcile);
      records.signals.add(reconcile);
      await records.outbox.add([happened('a'), happened('b')]);
    });
    expect(all).toEqual([reconcile, 'outbox']);
  });

  test('are not heard before', async () => {
    const all = await signalsOf(async records => {
      records.signals.add(reconcile);
      expect(received).not.toContain(reconcile);
    });
    expect(all).toEqual([reconcile]);
  });

  test('are not heard of one that is refused, or fails', async () => {
    const rolledBack = await signalsOf(async records => {
      await records.outbox.add([happened('a')]);
      return new AppError('conflict', 'no');
    });
    const failed = await signalsOf(async records => {
      await records.outbox.add([happened('a')]);
      throw new Error('no');
    });
    expect([...rolledBack, ...failed]).toEqual([]);
  });

  test('are not heard by one who has stopped listening', async () => {
    const later: Signal[] = [];
    store().listen(signal => later.push(signal))();
    await leaveWord(store(), happened('a'));
    expect(later).toEqual([]);
  });
});
