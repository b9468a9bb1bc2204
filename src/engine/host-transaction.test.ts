import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StorePlace } from '../../test/harness/stores/stores.ts';
import { makeStorePlace, openPlace } from '../../test/harness/stores/stores.ts';
import type { Address } from '../domain/addresses/address.ts';
import { RetryTransaction } from '../domain/errors.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Claim } from '../domain/tasks/host-queue.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import type { Store } from '../store/store.ts';
import type { HostTransaction } from './host-transaction.ts';
import { withClaimedHost } from './host-transaction.ts';
import { Lease } from './lease.ts';
import { ReconcileQueue } from './reconcile/reconcile-queue.ts';

const HOST = '127.0.0.1' as Address;
const CLUSTER = toRecordName('web');
const OUTPUT = { operation: 'op', cluster: CLUSTER, host: HOST };

describe('what a change of a host tells', () => {
  let place: StorePlace;
  let store: Store;
  let calls: string[];
  beforeEach(async () => {
    place = await makeStorePlace('sqlite');
    store = await openPlace(place);
    calls = [];
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  /** Changes a host that is claimed; commits are told as well. */
  async function runTransaction(run: (runTransaction: HostTransaction) => Promise<unknown>): Promise<void> {
    const clock = new VirtualClock();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const lease = await Lease.acquire({ store, clock, log, ownBootId: '', settings: { leaseMs: 60_000 } });
    const [claim] = await store.transaction(async ({ hostQueue, claims }) => {
      await hostQueue.addTasks([HOST], 0);
      return claims.claimDue('task', { owner: lease.incarnation, now: 0 }, 1);
    });
    const counting: Store = {
      ...store,
      transaction: async transaction => {
        const result = await store.transaction(transaction);
        calls.push('committed');
        return result;
      },
    };
    const ports = {
      ...{ store: counting, clock, reconcileQueue: new ReconcileQueue(() => calls.push('news')) },
      notifyOutput: ({ operation, host }: typeof OUTPUT) => calls.push(`output ${operation} ${host}`),
    };
    await withClaimedHost(ports, lease, claim as Claim, run).catch(() => calls.push('failed'));
  }

  test('comes once it is committed, and not before', async () => {
    await runTransaction(async ({ notifyOutput, requestReconcile }) => {
      notifyOutput(OUTPUT);
      requestReconcile(CLUSTER);
    });
    expect(calls).toEqual(['committed', 'news', 'output op 127.0.0.1']);
  });

  test('comes once, however often the change had to run', async () => {
    let runs = 0;
    await runTransaction(async ({ notifyOutput }) => {
      runs += 1;
      notifyOutput(OUTPUT);
      if (runs < 3) throw new RetryTransaction();
    });
    expect(calls).toEqual(['committed', 'output op 127.0.0.1']);
  });

  test('does not come when it fails', async () => {
    await runTransaction(async ({ notifyOutput }) => {
      notifyOutput(OUTPUT);
      throw new Error('no');
    });
    expect(calls).toEqual(['failed']);
  });
});
