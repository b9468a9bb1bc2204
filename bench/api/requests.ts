import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../src/store/store.ts';
import type { LoadRequest } from '../load-generator.ts';

/** The password of `admin` in the benchmarks. */
export const PASSWORD = 'bench';

const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** A request of the administrator; `path` is without `/api/v0`. */
export const createAdminRequest = (method: LoadRequest['method'], path: string, body?: unknown): LoadRequest => ({
  method,
  path: `/api/v0${path}`,
  headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

export interface BenchContext {
  /** The cluster of all hosts. */
  readonly cluster: string;
  readonly addresses: readonly string[];
  /** Sends a request that is not measured and returns its response. */
  readonly sendUnmeasured: (request: LoadRequest) => Promise<unknown>;
}

interface Operation {
  readonly id: string;
  readonly status: string;
}

/** Operations are paused globally, so each one plans all hosts and changes none. */
export async function startOperation(fleet: BenchContext): Promise<void> {
  await cancelOperation(fleet);
  await fleet.sendUnmeasured(createAdminRequest('PUT', `/cluster/${fleet.cluster}/restart`, {}));
}

export async function findNewestOperation({ sendUnmeasured, cluster }: BenchContext): Promise<Operation | undefined> {
  const [newest] = (await sendUnmeasured(
    createAdminRequest('GET', `/operations?cluster=${cluster}&limit=1`),
  )) as Operation[];
  return newest;
}

export async function cancelOperation(fleet: BenchContext): Promise<void> {
  let newest = await findNewestOperation(fleet);
  if (newest?.status === 'in_process')
    await fleet.sendUnmeasured(createAdminRequest('PUT', `/operation/${newest.id}/cancel`, {}));
  while (newest?.status === 'in_process') {
    await delay(50);
    newest = await findNewestOperation(fleet);
  }
}

export const joinAllHosts = async ({ sendUnmeasured, cluster, addresses }: BenchContext) => {
  await sendUnmeasured(createAdminRequest('PUT', `/cluster/${cluster}`, { network: 'default' }));
  const old = await sendUnmeasured(createAdminRequest('GET', `/cluster/${cluster}/hosts`));
  return sendUnmeasured(createAdminRequest('PUT', `/cluster/${cluster}/hosts`, { old, new: addresses }));
};

/** Adds entries to the audit log directly in the store. Their hashes are not valid. */
export const fillLog = (store: Store, entries: number): Promise<void> =>
  store.transaction(async ({ eventLog }) => {
    const state = await eventLog.acquire();
    if (!state) throw new Error('the event log is in use');
    const added = Array.from({ length: entries }, (_, index) => ({
      ...{ id: state.lastId + index + 1, hash: 'x'.repeat(64), at: '2026-01-01T00:00:00.000000Z' },
      ...({ type: 'host.status', subject: '127.0.0.1', actor: '', address: '', requestId: '' } as const),
      ...{ cluster: 'big', host: '127.0.0.1', operation: null },
      dataJson: JSON.stringify({ status: 'failed', error: 'x'.repeat(100) }),
    }));
    await eventLog.append(added, { ...state, lastId: state.lastId + entries });
  });
