// The hosts that a benchmark's requests are about, and the requests that bring them into a state.

import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../src/store/store.ts';
import type { Shot } from '../load.ts';
import { authorized } from './requests.ts';

export interface Fleet {
  /** The cluster that all hosts belong to. */
  readonly cluster: string;
  readonly addresses: readonly string[];
  /** Sends a request that is not measured, and returns its answer. */
  readonly ask: (shot: Shot) => Promise<unknown>;
}

interface Operation {
  readonly id: string;
  readonly status: string;
}

/** Operations are on hold, so each one has all hosts in its plan, and nothing is done on them. */
export async function startOperation(fleet: Fleet): Promise<void> {
  await endOperation(fleet);
  await fleet.ask(authorized('PUT', `/cluster/${fleet.cluster}/restart`, {}));
}

export async function newestOperation({ ask, cluster }: Fleet): Promise<Operation | undefined> {
  const [newest] = (await ask(authorized('GET', `/operations?cluster=${cluster}&limit=1`))) as Operation[];
  return newest;
}

export async function endOperation(fleet: Fleet): Promise<void> {
  let newest = await newestOperation(fleet);
  if (newest?.status === 'in_process')
    await fleet.ask(authorized('PUT', `/operation/${newest.id}/cancel`, {}));
  while (newest?.status === 'in_process') {
    await delay(50);
    newest = await newestOperation(fleet);
  }
}

export const joinAll = async ({ ask, cluster, addresses }: Fleet) => {
  await ask(authorized('PUT', `/cluster/${cluster}`, { network: 'default' }));
  const old = await ask(authorized('GET', `/cluster/${cluster}/hosts`));
  return ask(authorized('PUT', `/cluster/${cluster}/hosts`, { old, new: addresses }));
};

/** Adds entries to the audit log, past the service. Their hashes are not valid. */
export const fillLog = (store: Store, entries: number): Promise<void> =>
  store.transaction(async ({ log }) => {
    const state = await log.take();
    if (!state) throw new Error('the event log is in use');
    const added = Array.from({ length: entries }, (_, index) => ({
      ...{ id: state.lastId + index + 1, hash: 'x'.repeat(64), at: '2026-01-01T00:00:00.000000Z' },
      ...({ type: 'host.status', subject: '127.0.0.1', actor: '', address: '', requestId: '' } as const),
      ...{ cluster: 'big', host: '127.0.0.1', operation: null },
      dataJson: JSON.stringify({ status: 'failed', error: 'x'.repeat(100) }),
    }));
    await log.append(added, { ...state, lastId: state.lastId + entries });
  });
