import { Refusal } from '../domain/errors.ts';
import { STARTING } from './accounts/starting.ts';
import type { Ports } from './ports.ts';

const notCurrent = new Refusal(
  'store_unavailable',
  'the schema of the store is older than this version, probably because a backup was restored; restart the service to upgrade it',
  { retryAfterS: 5 },
);

/** A check writes to the disk, and `/readyz` needs no credentials: requests within this time share one check. */
const WRITE_CHECK_EVERY_MS = 2000;

/** Returns a function that says why the service is not ready, or `undefined` when it is. It throws `StoreUnavailable` like every other use case. */
export function readinessCheck({
  store,
  clock,
}: Pick<Ports, 'store' | 'clock'>): () => Promise<Refusal | undefined> {
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let writable: Promise<void> = Promise.resolve();
  return async () => {
    if (!(await store.hasCurrentSchema())) return notCurrent;
    if (await store.reads.accounts.isEmpty()) return STARTING;
    const nowMs = clock.monotonicMs();
    if (nowMs - checkedAtMs >= WRITE_CHECK_EVERY_MS) {
      checkedAtMs = nowMs;
      writable = store.checkWritable();
    }
    await writable;
    return undefined;
  };
}
