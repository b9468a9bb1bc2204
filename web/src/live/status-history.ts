import { timeOf } from '#client/times.ts';
import type { StatusChange } from '../ui/plots/status-spans.ts';
import { oneOf } from './event-data.ts';
import type { LoggedEvent } from './recent-events.ts';

/** How far back something is known, and what its status was. */
export interface StatusHistory<Word extends string> {
  /** The newest first. */
  readonly changes: readonly (StatusChange<Word> & { readonly id: number })[];
  /** When it was made; `undefined`: the log has that no more. */
  readonly madeMs: number | undefined;
  /** Whether there were more changes. */
  readonly isCut: boolean;
}

/** What has the status. */
export interface Whose<Word extends string> {
  readonly kind: 'host' | 'cluster';
  readonly name: string;
  readonly words: readonly Word[];
}

export const MOST_CHANGES = 500;

type Entry = Pick<LoggedEvent, 'id' | 'at' | 'data'>;

/** As the log has it. */
export const readHistory = <Word extends string>(
  words: readonly Word[],
  changes: readonly Entry[],
  made: Entry | undefined,
): StatusHistory<Word> => ({
  changes: changes.map(entry => ({
    ...{ id: entry.id, atMs: timeOf(entry.at) },
    from: oneOf(entry, 'from', words),
  })),
  madeMs: made && timeOf(made.at),
  isCut: changes.length >= MOST_CHANGES,
});

/** What becomes of it by events; those that were read already change nothing. */
export function foldHistory<Word extends string>(
  { kind, name, words }: Whose<Word>,
  history: StatusHistory<Word>,
  events: readonly LoggedEvent[],
): StatusHistory<Word> {
  const newestId = history.changes[0]?.id ?? Number.NEGATIVE_INFINITY;
  const own = events.filter(event => event[kind] === name);
  const told = own.filter(({ type, id }) => type === `${kind}.status` && id > newestId).reverse();
  const made = own.findLast(({ type }) => type === `${kind}.created`);
  if (told.length === 0 && made === undefined) return history;
  const more = readHistory(words, told, made);
  const changes = [...more.changes, ...history.changes];
  return {
    changes: changes.slice(0, MOST_CHANGES),
    madeMs: more.madeMs ?? history.madeMs,
    isCut: history.isCut || changes.length > MOST_CHANGES,
  };
}

/** From when on it can be shown, of so long a time before now. */
export function shownSinceMs(
  { changes, madeMs, isCut }: StatusHistory<string>,
  nowMs: number,
  lengthMs: number,
): number {
  const oldestMs = isCut ? changes.at(-1)?.atMs : undefined;
  // No later than now, where a clock lags behind.
  return Math.min(nowMs, Math.max(nowMs - lengthMs, madeMs ?? 0, oldestMs ?? 0));
}
