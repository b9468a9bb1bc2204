import type { KeyObject } from 'node:crypto';
import type { LogEntry } from '../domain/events/event-log.ts';
import type { ReadRepositories } from '../store/repositories/index.ts';
import type { Store } from '../store/store.ts';
import type { ChainViolation } from './hash-chain.ts';
import { finishVerification, isViolation, startVerification, verifyEntries } from './hash-chain.ts';

/** An entry that an administrator recorded earlier. */
export interface LogCheckpoint {
  readonly id: number;
  readonly hash: string;
}

export interface LogVerification {
  readonly entries: number;
  /** `undefined`: the log is empty. */
  readonly oldest: Pick<LogEntry, 'id' | 'at'> | undefined;
  readonly newest: Pick<LogEntry, 'id' | 'at' | 'hash'> | undefined;
  /** `pruned`: the entry was removed by retention. */
  readonly checkpoint: 'match' | 'differs' | 'missing' | 'pruned' | undefined;
}

const PAGE_SIZE = 1000;

export const verifyLog = (
  store: Store,
  key: KeyObject,
  { checkpoint, onProgress }: { checkpoint?: LogCheckpoint | undefined; onProgress: (entries: number) => void },
): Promise<LogVerification | ChainViolation> =>
  store.snapshot(async ({ eventLog }) => {
    if (await eventLog.hasUnnumbered()) return { id: 0, kind: 'unnumbered' };
    const state = await eventLog.getState();
    let position = startVerification(key, state);
    if (isViolation(position)) return position;
    const { prunePoint } = state;
    let foundHash = prunePoint && prunePoint.firstId - 1 === checkpoint?.id ? prunePoint.hash : undefined;
    let entries = 0;
    let oldest: LogEntry | undefined;
    let newest: LogEntry | undefined;
    for await (const page of readLogPages(eventLog)) {
      position = verifyEntries(key, position, page);
      if (isViolation(position)) return position;
      oldest ??= page[0];
      newest = page.at(-1);
      foundHash ??= page.find(({ id }) => id === checkpoint?.id)?.hash;
      entries += page.length;
      onProgress(entries);
    }
    const violation = finishVerification(position, state);
    if (violation) return violation;
    return {
      ...{ entries, oldest, newest },
      checkpoint: checkpoint && compareCheckpoint(checkpoint, foundHash, state.firstId),
    };
  });

/** Verifies only the newest entries, and returns the number of valid ones. */
export const verifyLatest = (store: Store, key: KeyObject, limit: number): Promise<number | ChainViolation> =>
  store.snapshot(async ({ eventLog }) => {
    const state = await eventLog.getState();
    const { items, hasMore } = await eventLog.list({}, { limit });
    const entries = items.toReversed();
    const start = startVerification(key, state);
    if (isViolation(start)) return start;
    // The oldest of these entries is trusted, because the entry before it was not read.
    const [first] = entries;
    const position =
      hasMore && first ? verifyEntries(key, first, entries.slice(1)) : verifyEntries(key, start, entries);
    return isViolation(position) ? position : (finishVerification(position, state) ?? entries.length);
  });

/** Starts at the smallest possible id, so inserted entries before the first one are found. */
async function* readLogPages(log: ReadRepositories['eventLog']): AsyncGenerator<readonly LogEntry[]> {
  let page = await log.readAfter(Number.MIN_SAFE_INTEGER, PAGE_SIZE);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = page.length < PAGE_SIZE ? [] : await log.readAfter(last.id, PAGE_SIZE);
  }
}

function compareCheckpoint(
  checkpoint: LogCheckpoint,
  foundHash: string | undefined,
  firstId: number,
): LogVerification['checkpoint'] {
  if (foundHash !== undefined) return foundHash === checkpoint.hash ? 'match' : 'differs';
  return checkpoint.id < firstId ? 'pruned' : 'missing';
}
