import { beforeAll, expect, test } from 'vitest';
import { addOutboxEntries, outboxEntry } from '../../test/harness/events/outbox-entries.ts';
import { describeStore } from '../../test/harness/stores/stores.ts';
import { AppError } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Repositories } from './repositories/index.ts';

describeStore('signals of transactions', { per: 'suite' }, ({ store }) => {
  const received: Signal[] = [];
  beforeAll(async () => {
    store().listen(signal => received.push(signal));
  });

  /** Returns the signals of a transaction. Filters out signals that other code can send at any time. */
  async function signalsOf(run: (records: Repositories) => Promise<unknown>): Promise<readonly Signal[]> {
    received.length = 0;
    await store()
      .transaction(run)
      .catch(() => {});
    return received.filter(signal => signal.startsWith('reconcile') || signal === 'outbox');
  }
  const reconcile = `reconcile ${toRecordName('web')}` as const;

  test('are sent once each after the commit, even if added twice', async () => {
    const signals = await signalsOf(async records => {
      records.signals.add(reconcile);
      records.signals.add(reconcile);
      await records.outbox.add([outboxEntry('a'), outboxEntry('b')]);
    });
    expect(signals).toEqual([reconcile, 'outbox']);
  });

  test('are not sent before the commit', async () => {
    const signals = await signalsOf(async records => {
      records.signals.add(reconcile);
      expect(received).not.toContain(reconcile);
    });
    expect(signals).toEqual([reconcile]);
  });

  test('are not sent if the transaction is rolled back or fails', async () => {
    const rolledBack = await signalsOf(async records => {
      await records.outbox.add([outboxEntry('a')]);
      return new AppError('conflict', 'no');
    });
    const failed = await signalsOf(async records => {
      await records.outbox.add([outboxEntry('a')]);
      throw new Error('no');
    });
    expect([...rolledBack, ...failed]).toEqual([]);
  });

  test('are not passed to a listener that was removed', async () => {
    const later: Signal[] = [];
    store().listen(signal => later.push(signal))();
    await addOutboxEntries(store(), outboxEntry('a'));
    expect(later).toEqual([]);
  });
});
