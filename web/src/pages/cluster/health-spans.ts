import { timeOf } from '#client/times.ts';
import type { ClusterStatus } from '#vocabulary';
import { CLUSTER_STATUSES } from '#vocabulary';

/** A change of a cluster's status, as the audit and events tell it. */
export interface StatusChange {
  readonly id: number;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface HealthSpan {
  readonly from: number;
  readonly to: number;
  readonly word: ClusterStatus;
}

const statusOf = (word: unknown): ClusterStatus | undefined =>
  CLUSTER_STATUSES.find(status => status === word);

/** Where it is not known when it was made, it is shown for so long. */
const SHORTEST_MS = 3_600_000;
const LONGEST_MS = 7 * 86_400_000;

/** Changes that were read, newest first, and those that were told since. */
export const addChanges = (
  known: readonly StatusChange[],
  told: readonly (StatusChange & { readonly type: string; readonly cluster: string | null })[],
  cluster: string,
): readonly StatusChange[] => {
  const own = told.filter(event => event.type === 'cluster.status' && event.cluster === cluster);
  return own.length === 0 ? known : [...own.toReversed(), ...known];
};

/** Which status a cluster had when, up to now; since it was made, if that is known, but no longer than a week. */
export function healthSpans(
  changes: readonly StatusChange[],
  now: { readonly ms: number; readonly status: ClusterStatus },
  madeMs?: number,
): { readonly fromMs: number; readonly spans: readonly HealthSpan[] } {
  const oldestFirst = changes.toReversed();
  const firstMs = oldestFirst[0] === undefined ? now.ms : timeOf(oldestFirst[0].at);
  const fromMs = Math.max(now.ms - LONGEST_MS, madeMs ?? Math.min(firstMs, now.ms - SHORTEST_MS));
  const starts = oldestFirst.flatMap(({ at, data }) => {
    const word = statusOf(data['to']);
    return word === undefined ? [] : [{ from: timeOf(at), word }];
  });
  const before = oldestFirst[0] === undefined ? now.status : statusOf(oldestFirst[0].data['from']);
  const all = before === undefined ? starts : [{ from: fromMs, word: before }, ...starts];
  const spans = all
    .map(({ from, word }, index) => ({
      from: Math.max(from, fromMs),
      to: all[index + 1]?.from ?? now.ms,
      word,
    }))
    .filter(({ from, to }) => to > from);
  return { fromMs, spans };
}
