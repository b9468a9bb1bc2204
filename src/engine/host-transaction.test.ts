import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import type { TestDatabase } from '../../test/harness/stores/stores.ts';
import { createTestDatabase, openTestDatabase } from '../../test/harness/stores/stores.ts';
import type { Address } from '../domain/addresses/address.ts';
import { RetryTransaction } from '../domain/errors.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Claim } from '../domain/tasks/host-queue.ts';
import { createLog } from '../lib/log.ts';
import type { Store } from '../store/store.ts';
import type { HostTransaction } from './host-transaction.ts';
import { withClaimedHost } from './host-transaction.ts';
import { ClaimLostError, Lease } from './lease.ts';

const HOST = '127.0.0.1' as Address;
const CLUSTER = toRecordName('web');
const OUTPUT = { operation: 'op', cluster: CLUSTER, host: HOST };

describe('withClaimedHost', () => {
  let database: TestDatabase;
  let store: Store;
  let calls: string[];
  beforeEach(async () => {
    database = await createTestDatabase('sqlite', { isMigrated: true });
    store = await openTestDatabase(database);
    calls = [];
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  const clock = new VirtualClock();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

  const acquireLease = () => Lease.acquire({ store, clock, log, ownBootId: '', settings: { leaseMs: 60_000 } });

  async function claimHost({ incarnation }: Lease): Promise<Claim> {
    const [claim] = await store.transaction(async ({ tasks, claims }) => {
      await tasks.scheduleHosts([HOST], 0);
      return claims.claimDue('task', { owner: incarnation, now: 0 }, 1);
    });
    if (claim === undefined) throw new Error('the host was not claimed');
    return claim;
  }

  async function runTransaction(run: (runTransaction: HostTransaction) => Promise<unknown>): Promise<void> {
    const lease = await acquireLease();
    const claim = await claimHost(lease);
    const recordingStore: Store = {
      ...store,
      transaction: async transaction => {
        const result = await store.transaction(transaction);
        calls.push('committed');
        return result;
      },
    };
    const ports = {
      ...{ store: recordingStore, clock, log: createLog('silent', false) },
      requestReconcile: () => calls.push('reconcile'),
      notifyOutput: ({ operation, host }: typeof OUTPUT) => calls.push(`output ${operation} ${host}`),
    };
    await withClaimedHost(ports, lease, claim, run).catch(() => calls.push('failed'));
  }

  test('sends notifications only after the commit', async () => {
    await runTransaction(async ({ notifyOutput, requestReconcile }) => {
      notifyOutput(OUTPUT);
      requestReconcile(CLUSTER);
    });
    expect(calls).toEqual(['committed', 'reconcile', 'output op 127.0.0.1']);
  });

  test('sends each notification once when the transaction is retried', async () => {
    let runs = 0;
    await runTransaction(async ({ notifyOutput }) => {
      runs += 1;
      notifyOutput(OUTPUT);
      if (runs < 3) throw new RetryTransaction();
    });
    expect(calls).toEqual(['committed', 'output op 127.0.0.1']);
  });

  test('sends no notification when the transaction fails', async () => {
    await runTransaction(async ({ notifyOutput }) => {
      notifyOutput(OUTPUT);
      throw new Error('no');
    });
    expect(calls).toEqual(['failed']);
  });

  test.each(['another server', 'the same server'])(
    'writes nothing after %s has claimed the host again',
    async owner => {
      const lease = await acquireLease();
      const lostClaim = await claimHost(lease);
      await store.transaction(({ claims }) => claims.releaseAll(lease.incarnation));
      await claimHost(owner === 'the same server' ? lease : await acquireLease());
      const ports = {
        store,
        clock,
        log: createLog('silent', false),
        requestReconcile: () => {},
        notifyOutput: () => {},
      };
      const write = withClaimedHost(ports, lease, lostClaim, async () => calls.push('ran'));
      await expect(write).rejects.toThrow(ClaimLostError);
      expect(calls).toEqual([]);
    },
  );
});
