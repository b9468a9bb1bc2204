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

/** A load balancer must not take a server for dead that only writes for long. */
const LONGEST_CHECK_MS = 250;

/** Returns a function that says why the service is not ready, or `undefined` when it is. It throws `StoreUnavailable` like every other use case. */
export function readinessCheck({
  store,
  clock,
}: Pick<Ports, 'store' | 'clock'>): () => Promise<Refusal | undefined> {
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let writable: Promise<void> = Promise.resolve();
  /** The result of the last check that has ended; `undefined` before the first one. */
  let last: Promise<void> | undefined;
  /** Waits for the check. While a long transaction holds the store, the result before it counts. */
  const isWritable = async (check: Promise<void>) => {
    const before = last;
    if (before === undefined) return check;
    const timer = Promise.withResolvers<void>();
    const cancel = clock.after(LONGEST_CHECK_MS, () => timer.resolve(before));
    try {
      await Promise.race([check, timer.promise]);
    } finally {
      cancel();
    }
  };
  return async () => {
    if (!(await store.hasCurrentSchema())) return notCurrent;
    if (await store.reads.accounts.isEmpty()) return STARTING;
    const nowMs = clock.monotonicMs();
    if (nowMs - checkedAtMs >= WRITE_CHECK_EVERY_MS) {
      checkedAtMs = nowMs;
      writable = store.checkWritable();
      const check = writable;
      const remember = () => {
        last = check;
      };
      check.then(remember, remember);
    }
    await isWritable(writable);
    return undefined;
  };
}
