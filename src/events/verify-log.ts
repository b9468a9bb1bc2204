import type { KeyObject } from 'node:crypto';
import type { LogEntry } from '../domain/events/event-log.ts';
import type { ReadRepositories } from '../store/repositories/index.ts';
import type { Store } from '../store/store.ts';
import type { ChainViolation } from './hash-chain.ts';
import { finishVerification, isViolation, startVerification, verifyEntries } from './hash-chain.ts';

/** An entry as somebody wrote it down. */
export interface LogCheckpoint {
  readonly id: number;
  readonly hash: string;
}

export interface LogVerification {
  readonly entries: number;
  /** `undefined`: there are none. */
  readonly oldest: Pick<LogEntry, 'id' | 'at'> | undefined;
  readonly newest: Pick<LogEntry, 'id' | 'at' | 'hash'> | undefined;
  /** What was found of what was written down; `gone`: it was cut off since. */
  readonly checkpoint: 'same' | 'differs' | 'missing' | 'gone' | undefined;
}

const PAGE_SIZE = 1000;

/** Walks the whole log as it is at one moment. */
export const verifyLog = (
  store: Store,
  key: KeyObject,
  {
    checkpoint,
    onProgress,
  }: { checkpoint?: LogCheckpoint | undefined; onProgress: (entries: number) => void },
): Promise<LogVerification | ChainViolation> =>
  store.snapshot(async ({ eventLog }) => {
    if (await eventLog.hasUnnumbered()) return { id: 0, kind: 'unnumbered' };
    const state = await eventLog.getState();
    let position = startVerification(key, state);
    if (isViolation(position)) return position;
    const { prunePoint } = state;
    let found = prunePoint && prunePoint.firstId - 1 === checkpoint?.id ? prunePoint.hash : undefined;
    let entries = 0;
    let oldest: LogEntry | undefined;
    let newest: LogEntry | undefined;
    for await (const page of readLogPages(eventLog)) {
      position = verifyEntries(key, position, page);
      if (isViolation(position)) return position;
      oldest ??= page[0];
      newest = page.at(-1);
      found ??= page.find(({ id }) => id === checkpoint?.id)?.hash;
      entries += page.length;
      onProgress(entries);
    }
    const violation = finishVerification(position, state);
    if (violation) return violation;
    return {
      ...{ entries, oldest, newest },
      checkpoint: checkpoint && compareCheckpoint(checkpoint, found, state.firstId),
    };
  });

/** Walks its newest entries alone, which takes the same time however long it is. Answers how many hold. */
export const verifyLatest = (store: Store, key: KeyObject, limit: number): Promise<number | ChainViolation> =>
  store.snapshot(async ({ eventLog }) => {
    const state = await eventLog.getState();
    const { items, hasMore } = await eventLog.list({}, { limit: limit });
    const entries = items.toReversed();
    const start = startVerification(key, state);
    if (isViolation(start)) return start;
    // The one before the tail is believed.
    const [first] = entries;
    const position =
      hasMore && first ? verifyEntries(key, first, entries.slice(1)) : verifyEntries(key, start, entries);
    return isViolation(position) ? position : (finishVerification(position, state) ?? entries.length);
  });

/** All that is there, also what should not be. */
async function* readLogPages(log: ReadRepositories['eventLog']): AsyncGenerator<readonly LogEntry[]> {
  let page = await log.after(Number.MIN_SAFE_INTEGER, PAGE_SIZE);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = page.length < PAGE_SIZE ? [] : await log.after(last.id, PAGE_SIZE);
  }
}

function compareCheckpoint(
  checkpoint: LogCheckpoint,
  found: string | undefined,
  firstId: number,
): LogVerification['checkpoint'] {
  if (found !== undefined) return found === checkpoint.hash ? 'same' : 'differs';
  return checkpoint.id < firstId ? 'gone' : 'missing';
}
