import { parseWireTime } from '#sdk/format.ts';
import type { StatusChange } from '../ui/charts/status-spans.ts';
import { getEnum } from './event-fields.ts';
import type { LoggedEvent } from './recent-events.ts';

export interface StatusHistory<Status extends string> {
  /** Newest first. */
  readonly changes: readonly (StatusChange<Status> & { readonly id: number })[];
  /** Undefined if the audit log no longer contains the creation. */
  readonly createdMs: number | undefined;
  /** Older changes exist. */
  readonly isTruncated: boolean;
}

export interface HistorySubject<Status extends string> {
  readonly kind: 'host' | 'cluster';
  readonly name: string;
  readonly statuses: readonly Status[];
}

export const MAX_CHANGES = 500;

type HistoryEntry = Pick<LoggedEvent, 'id' | 'at' | 'data'>;

export const toStatusHistory = <Status extends string>(
  statuses: readonly Status[],
  changes: readonly HistoryEntry[],
  created: HistoryEntry | undefined,
): StatusHistory<Status> => ({
  changes: changes.map(entry => ({
    ...{ id: entry.id, atMs: parseWireTime(entry.at) },
    from: getEnum(entry, 'from', statuses),
  })),
  createdMs: created && parseWireTime(created.at),
  isTruncated: changes.length >= MAX_CHANGES,
});

/** Ignores events that the history already contains. */
export function applyHistoryEvents<Status extends string>(
  { kind, name, statuses }: HistorySubject<Status>,
  history: StatusHistory<Status>,
  events: readonly LoggedEvent[],
): StatusHistory<Status> {
  const newestId = history.changes[0]?.id ?? Number.NEGATIVE_INFINITY;
  const matching = events.filter(event => event[kind] === name);
  const newChanges = matching.filter(({ type, id }) => type === `${kind}.status` && id > newestId).reverse();
  const created = matching.findLast(({ type }) => type === `${kind}.created`);
  if (newChanges.length === 0 && created === undefined) return history;
  const added = toStatusHistory(statuses, newChanges, created);
  const changes = [...added.changes, ...history.changes];
  return {
    changes: changes.slice(0, MAX_CHANGES),
    createdMs: added.createdMs ?? history.createdMs,
    isTruncated: history.isTruncated || changes.length > MAX_CHANGES,
  };
}

/** Start of the visible part of a range that ends now. */
export function visibleSinceMs(
  { changes, createdMs, isTruncated }: StatusHistory<string>,
  nowMs: number,
  rangeMs: number,
): number {
  const oldestMs = isTruncated ? changes.at(-1)?.atMs : undefined;
  // Not after now, in case a clock lags.
  return Math.min(nowMs, Math.max(nowMs - rangeMs, createdMs ?? 0, oldestMs ?? 0));
}
