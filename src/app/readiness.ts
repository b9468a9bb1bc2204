import { AppError, StoreUnavailableError } from '../domain/errors.ts';
import { waitUpTo } from '../lib/time/clock.ts';
import type { Ports } from './ports.ts';

/** Without accounts, a password can be neither right nor wrong. */
export const STARTING = new AppError(
  'starting',
  'the server is starting, and its first account does not exist yet; retry shortly',
  { retryAfterS: 1 },
);

const outdatedSchema = new AppError(
  'store_unavailable',
  'the schema of the store is older than this version, probably because a backup was restored; restart the server to migrate it',
  { retryAfterS: 5 },
);

/** `/readyz` needs no credentials, and a check writes to the disk. Requests within this time share one check. */
const WRITE_CHECK_INTERVAL_MS = 2000;

/** A load balancer must not remove a server during a long write. */
const MAX_WAIT_MS = 250;

/** While a check is pending, the last result is used up to this age. */
const MAX_RESULT_AGE_MS = 30_000;

interface EndedCheck {
  readonly result: Promise<void>;
  readonly endedAtMs: number;
}

/** Throws StoreUnavailableError. A check that hangs must not start others: each would wait for the same lock. */
function createWriteCheck({ store, clock }: Pick<Ports, 'store' | 'clock'>): () => Promise<void> {
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  let last: EndedCheck | undefined;
  const startCheck = (nowMs: number) => {
    const check = store.checkWritable();
    const end = () => {
      pending = undefined;
      last = { result: check, endedAtMs: clock.monotonicMs() };
    };
    startedAtMs = nowMs;
    pending = check;
    check.then(end, end);
  };
  return async () => {
    const nowMs = clock.monotonicMs();
    if (pending === undefined && nowMs - startedAtMs >= WRITE_CHECK_INTERVAL_MS) startCheck(nowMs);
    const check = pending;
    if (check === undefined) return last?.result;
    const recent = last !== undefined && nowMs - last.endedAtMs < MAX_RESULT_AGE_MS ? last : undefined;
    // Without a recent result, the caller waits for the check itself.
    const waitMs = recent ? MAX_WAIT_MS : startedAtMs + MAX_RESULT_AGE_MS - nowMs;
    const hasEnded = await waitUpTo(clock, waitMs, () => check.then(() => true));
    if (hasEnded) return undefined;
    if (recent) return recent.result;
    throw new StoreUnavailableError(new Error('the write check of the store timed out after 30 s'));
  };
}

/** Undefined: ready. Throws StoreUnavailableError like other use cases. */
export function createReadinessCheck(ports: Pick<Ports, 'store' | 'clock'>): () => Promise<AppError | undefined> {
  const { store } = ports;
  const assertWritable = createWriteCheck(ports);
  return async () => {
    if (!(await store.hasCurrentSchema())) return outdatedSchema;
    if (await store.reads.accounts.isEmpty()) return STARTING;
    await assertWritable();
    return undefined;
  };
}
