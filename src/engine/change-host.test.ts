import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StorePlace } from '../../test/harness/stores/stores.ts';
import { makeStorePlace, openPlace } from '../../test/harness/stores/stores.ts';
import type { Address } from '../domain/addresses/address.ts';
import { RunAgain } from '../domain/errors.ts';
import { recordNameOf } from '../domain/record-name.ts';
import type { Claim } from '../domain/work/agenda.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import type { Store } from '../store/store.ts';
import type { HostChange } from './change-host.ts';
import { changeHost } from './change-host.ts';
import { Lease } from './lease.ts';
import { News } from './news.ts';

const HOST = '127.0.0.1' as Address;
const CLUSTER = recordNameOf('web');
const OUTPUT = { operation: 'op', cluster: CLUSTER, host: HOST };

describe('what a change of a host tells', () => {
  let place: StorePlace;
  let store: Store;
  let told: string[];
  beforeEach(async () => {
    place = await makeStorePlace('sqlite');
    store = await openPlace(place);
    told = [];
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  /** Changes a host that is claimed; commits are told as well. */
  async function change(work: (change: HostChange) => Promise<unknown>): Promise<void> {
    const clock = new VirtualClock();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const lease = await Lease.take({ store, clock, log, ownBootId: '', settings: { leaseMs: 60_000 } });
    const [claim] = await store.transaction(async ({ agenda, claims }) => {
      await agenda.addWork([HOST], 0);
      return claims.take('task', { owner: lease.incarnation, now: 0 }, 1);
    });
    const counting: Store = {
      ...store,
      transaction: async transaction => {
        const answer = await store.transaction(transaction);
        told.push('committed');
        return answer;
      },
    };
    const ports = {
      ...{ store: counting, clock, news: new News(() => told.push('news')) },
      outputSaved: ({ operation, host }: typeof OUTPUT) => told.push(`output ${operation} ${host}`),
    };
    await changeHost(ports, lease, claim as Claim, work).catch(() => told.push('failed'));
  }

  test('comes once it is committed, and not before', async () => {
    await change(async ({ outputSaved, news }) => {
      outputSaved(OUTPUT);
      news(CLUSTER);
    });
    expect(told).toEqual(['committed', 'news', 'output op 127.0.0.1']);
  });

  test('comes once, however often the change had to run', async () => {
    let runs = 0;
    await change(async ({ outputSaved }) => {
      runs += 1;
      outputSaved(OUTPUT);
      if (runs < 3) throw new RunAgain();
    });
    expect(told).toEqual(['committed', 'output op 127.0.0.1']);
  });

  test('does not come when it fails', async () => {
    await change(async ({ outputSaved }) => {
      outputSaved(OUTPUT);
      throw new Error('no');
    });
    expect(told).toEqual(['failed']);
  });
});
