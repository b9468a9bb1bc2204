import type { KeyObject } from 'node:crypto';
import type { LogEntry } from '../domain/events/event-log.ts';
import type { Reads } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { ChainBreak } from './walk-chain.ts';
import { beginWalk, endWalk, isBreak, walkOn } from './walk-chain.ts';

/** An entry as somebody wrote it down. */
export interface LogMark {
  readonly id: number;
  readonly hash: string;
}

export interface VerifiedLog {
  readonly entries: number;
  /** `undefined`: there are none. */
  readonly oldest: Pick<LogEntry, 'id' | 'at'> | undefined;
  readonly newest: Pick<LogEntry, 'id' | 'at' | 'hash'> | undefined;
  /** What was found of what was written down; `gone`: it was cut off since. */
  readonly expected: 'same' | 'differs' | 'missing' | 'gone' | undefined;
}

const ENTRIES_AT_ONCE = 1000;

/** Walks the whole log as it is at one moment. */
export const verifyLog = (
  store: Store,
  key: KeyObject,
  { expected, progressed }: { expected?: LogMark | undefined; progressed: (entries: number) => void },
): Promise<VerifiedLog | ChainBreak> =>
  store.snapshot(async ({ log }) => {
    if (await log.hasUnnumbered()) return { id: 0, why: 'unnumbered' };
    const state = await log.state();
    let walk = beginWalk(key, state);
    if (isBreak(walk)) return walk;
    const { prunePoint } = state;
    let found = prunePoint && prunePoint.firstId - 1 === expected?.id ? prunePoint.hash : undefined;
    let entries = 0;
    let oldest: LogEntry | undefined;
    let newest: LogEntry | undefined;
    for await (const page of pagesOf(log)) {
      walk = walkOn(key, walk, page);
      if (isBreak(walk)) return walk;
      oldest ??= page[0];
      newest = page.at(-1);
      found ??= page.find(({ id }) => id === expected?.id)?.hash;
      entries += page.length;
      progressed(entries);
    }
    const broken = endWalk(walk, state);
    if (broken) return broken;
    return {
      ...{ entries, oldest, newest },
      expected: expected && compare(expected, found, state.firstId),
    };
  });

/** Walks its newest entries alone, which takes the same time however long it is. Answers how many hold. */
export const verifyTail = (store: Store, key: KeyObject, most: number): Promise<number | ChainBreak> =>
  store.snapshot(async ({ log }) => {
    const state = await log.state();
    const { items, hasMore } = await log.list({}, { limit: most });
    const entries = items.toReversed();
    const begun = beginWalk(key, state);
    if (isBreak(begun)) return begun;
    // The one before the tail is believed.
    const [first] = entries;
    const walk = hasMore && first ? walkOn(key, first, entries.slice(1)) : walkOn(key, begun, entries);
    return isBreak(walk) ? walk : (endWalk(walk, state) ?? entries.length);
  });

/** All that is there, also what should not be. */
async function* pagesOf(log: Reads['log']): AsyncGenerator<readonly LogEntry[]> {
  let page = await log.after(Number.MIN_SAFE_INTEGER, ENTRIES_AT_ONCE);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = page.length < ENTRIES_AT_ONCE ? [] : await log.after(last.id, ENTRIES_AT_ONCE);
  }
}

function compare(expected: LogMark, found: string | undefined, firstId: number): VerifiedLog['expected'] {
  if (found !== undefined) return found === expected.hash ? 'same' : 'differs';
  return expected.id < firstId ? 'gone' : 'missing';
}
