import type { ClaimQuota } from '../domain/tasks/host-queue.ts';
import { fairQuota } from '../domain/tasks/host-queue.ts';
import type { Store } from '../store/store.ts';

export const RUN_KINDS = ['task', 'check'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export type PerRunKind<T> = Readonly<Record<RunKind, T>>;

/**
 * Bounds the cost of the load query. With more servers than this and many due hosts, load evens out over several polls.
 */
const COUNT_LIMIT_FACTOR = 20;

const unlimitedQuota = (capacity: number): ClaimQuota => ({ count: capacity, recheckInMs: 0 });

export async function claimQuotas(
  { reads }: Pick<Store, 'reads'>,
  owner: string,
  { capacity, nowMs, isAlone }: { capacity: PerRunKind<number>; nowMs: number; isAlone: boolean },
): Promise<PerRunKind<ClaimQuota>> {
  if (isAlone) return { task: unlimitedQuota(capacity.task), check: unlimitedQuota(capacity.check) };
  const limit = COUNT_LIMIT_FACTOR * Math.max(capacity.task, capacity.check, 1);
  const { servers, task, check } = await reads.hostQueue.getLoads(owner, nowMs, limit);
  return {
    task: fairQuota(task, { servers, nowMs, capacity: capacity.task }),
    check: fairQuota(check, { servers, nowMs, capacity: capacity.check }),
  };
}
