import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import type { OutboxEntry } from '../domain/events/domain-event.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { LogEntry, LogState } from '../domain/events/event-log.ts';
import {
  appendToChain,
  entryHash,
  finishVerification,
  isViolation,
  prunePointMac,
  startVerification,
  verifyEntries,
} from './hash-chain.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const OTHER_KEY = createSecretKey(Buffer.alloc(32, 8));
const EMPTY: LogState = { lastId: 0, lastHash: '', firstId: 1, firstReadableId: 1, prunePoint: null };

const event = (index: number): OutboxEntry =>
  toOutboxEntry(
    { type: 'network.created', subject: `n-${index}`, data: { type: 'none' } },
    { ...LOCAL_ACTOR, account: 'ann', address: '127.0.0.9', requestId: `r-${index}` },
    `2030-01-01T00:00:0${index}.000000`,
  );
const RESTORED = toOutboxEntry(
  { type: 'service.restored', subject: '', data: { backup_at: '2029-12-31T00:00:00.000000' } },
  LOCAL_ACTOR,
  '2030-01-02T00:00:00.000000',
);
const JUMP = Date.UTC(2030, 0, 2) * 1000;

interface Log {
  readonly entries: readonly LogEntry[];
  readonly state: LogState;
}

const createLog = (...events: readonly OutboxEntry[]): Log => {
  const { added, state } = appendToChain(KEY, EMPTY, events);
  return { entries: added, state };
};
const SIX_ENTRIES = createLog(...[1, 2, 3, 4, 5, 6].map(event));

/** Pruned before the entry at this index, and signed with `key`. */
function pruned({ entries, state }: Log, index: number, key = KEY): Log {
  const at = '2031-01-01T00:00:00.000000';
  const firstId = entries[index]?.id ?? state.lastId + 1;
  const hash = entries[index - 1]?.hash ?? '';
  const prunePoint = { firstId, hash, at, mac: prunePointMac(key, { firstId, hash, at }) };
  return { entries: entries.slice(index), state: { ...state, firstId, prunePoint } };
}

const without = ({ entries, state }: Log, ...ids: readonly number[]): Log => ({
  entries: entries.filter(({ id }) => !ids.includes(id)),
  state,
});
const withChange = ({ entries, state }: Log, id: number, change: Partial<LogEntry>): Log => ({
  entries: entries.map(entry => (entry.id === id ? { ...entry, ...change } : entry)),
  state,
});
/** The entries in another order, with consecutive ids. */
const reordered = ({ entries, state }: Log, ...ids: readonly number[]): Log => ({
  entries: ids.flatMap((id, index) =>
    entries.filter(entry => entry.id === id).map(entry => ({ ...entry, id: index + 1 })),
  ),
  state,
});
const added = ({ entries, state }: Log, entry: LogEntry): Log => ({
  entries: [...entries, entry].sort((a, b) => a.id - b.id),
  state,
});
/** As an attacker without the key would create it. */
const forged = (id: number, entry = event(9)): LogEntry => ({
  ...entry,
  id,
  hash: entryHash(OTHER_KEY, SIX_ENTRIES.state.lastHash, id, entry),
});
const restored = createLog(event(1), event(2), RESTORED, event(3));

function verify({ entries, state }: Log): string {
  let position = startVerification(KEY, state);
  // In pages, as the service reads them.
  for (let index = 0; index < entries.length && !isViolation(position); index += 2)
    position = verifyEntries(KEY, position, entries.slice(index, index + 2));
  const violation = isViolation(position) ? position : finishVerification(position, state);
  return violation ? `${violation.id} ${violation.kind}` : 'valid';
}

const TEXTS: readonly (keyof OutboxEntry)[] = [
  ...(['subject', 'actor', 'address', 'requestId', 'at', 'cluster', 'host', 'operation', 'dataJson'] as const),
];

describe('verification of the hash chain', () => {
  test.each<[string, string, Log]>([
    ['that is empty', 'valid', createLog()],
    ['without changes', 'valid', SIX_ENTRIES],
    ['that was pruned at a signed point', 'valid', pruned(SIX_ENTRIES, 3)],
    ['that was pruned twice', 'valid', pruned(pruned(SIX_ENTRIES, 2), 2)],
    ['that was pruned completely', 'valid', pruned(SIX_ENTRIES, 6)],
    ['whose ids jumped after a restore', 'valid', restored],
    ['that was pruned directly before the jump', 'valid', pruned(restored, 2)],
    ['with a type changed', '3 changed', withChange(SIX_ENTRIES, 3, { type: 'network.changed' })],
    ['with a hash changed', '3 changed', withChange(SIX_ENTRIES, 3, { hash: 'x' })],
    ['with two entries swapped', '3 changed', reordered(SIX_ENTRIES, 1, 2, 4, 3, 5, 6)],
    ['with an entry deleted in the middle', '3 missing', without(SIX_ENTRIES, 3)],
    ['with an entry deleted and the rest renumbered', '3 changed', reordered(SIX_ENTRIES, 1, 2, 4, 5, 6)],
    ['with a forged entry at the end', '7 changed', added(SIX_ENTRIES, forged(7))],
    ['with an entry restored before the prune point', '2 before', added(pruned(SIX_ENTRIES, 3), forged(2))],
    ['with a forged entry before the first id', '-5 before', added(SIX_ENTRIES, forged(-5))],
    ['with the first entries deleted without pruning', '1 missing', without(SIX_ENTRIES, 1, 2)],
    ['with more entries deleted than were pruned', '3 missing', without(pruned(SIX_ENTRIES, 2), 3)],
    ['that was pruned without the key', '4 prunePoint', pruned(SIX_ENTRIES, 3, OTHER_KEY)],
    [
      'whose start was moved without pruning',
      '2 prunePoint',
      { ...without(SIX_ENTRIES, 1), state: { ...SIX_ENTRIES.state, firstId: 2 } },
    ],
    ['without its prune point', '1 missing', { ...pruned(SIX_ENTRIES, 3), state: SIX_ENTRIES.state }],
    ['without its newest entries', '5 end', without(SIX_ENTRIES, 5, 6)],
    ['with all entries deleted', '1 end', without(SIX_ENTRIES, 1, 2, 3, 4, 5, 6)],
    [
      'whose state was replaced by an older one',
      '3 state',
      { ...SIX_ENTRIES, state: createLog(event(1), event(2)).state },
    ],
    ['whose state was changed', '6 last', { ...SIX_ENTRIES, state: { ...SIX_ENTRIES.state, lastHash: 'x' } }],
    ['whose ids jumped without a restore', '3 missing', withChange(restored, JUMP, { type: 'network.created' })],
    ['with a forged restore entry', `${JUMP} changed`, added(createLog(event(1), event(2)), forged(JUMP, RESTORED))],
    ['with entries deleted before the jump', `${JUMP} changed`, without(restored, 2)],
  ])('reports for a log %s: %s', (_case, expected, log) => {
    expect(verify(log)).toBe(expected);
  });

  test.each(TEXTS)('finds a changed %s', text => {
    expect(verify(withChange(SIX_ENTRIES, 4, { [text]: 'other' }))).toBe('4 changed');
  });

  test('fails with another key', () => {
    expect(verifyEntries(OTHER_KEY, { id: 0, hash: '' }, SIX_ENTRIES.entries)).toEqual({
      id: 1,
      kind: 'changed',
    });
  });

  test('cannot detect that the complete log and its state were replaced by an older copy', () => {
    expect(verify(createLog(event(1), event(2)))).toBe('valid');
  });
});
