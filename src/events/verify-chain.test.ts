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
const SIX = createLog(...[1, 2, 3, 4, 5, 6].map(event));

/** Cut off before the entry at this place, signed by whoever has a key. */
function pruned({ entries, state }: Log, index: number, key = KEY): Log {
  const at = '2031-01-01T00:00:00.000000';
  const firstId = entries[index]?.id ?? state.lastId + 1;
  const hash = entries[index - 1]?.hash ?? '';
  const prunePoint = { firstId, hash, at, mac: prunePointMac(key, { firstId, hash, at }) };
  return { entries: entries.slice(index), state: { ...state, firstId, prunePoint: prunePoint } };
}

const without = ({ entries, state }: Log, ...ids: readonly number[]): Log => ({
  entries: entries.filter(({ id }) => !ids.includes(id)),
  state,
});
const altered = ({ entries, state }: Log, id: number, change: Partial<LogEntry>): Log => ({
  entries: entries.map(entry => (entry.id === id ? { ...entry, ...change } : entry)),
  state,
});
/** Some of the entries, in another order, with the numbers that are expected. */
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
/** As somebody without the key would make one. */
const forged = (id: number, entry = event(9)): LogEntry => ({
  ...entry,
  id,
  hash: entryHash(OTHER_KEY, SIX.state.lastHash, id, entry),
});
const restored = createLog(event(1), event(2), RESTORED, event(3));

function verify({ entries, state }: Log): string {
  let position = startVerification(KEY, state);
  // In pages, as they are read.
  for (let index = 0; index < entries.length && !isViolation(position); index += 2)
    position = verifyEntries(KEY, position, entries.slice(index, index + 2));
  const violation = isViolation(position) ? position : finishVerification(position, state);
  return violation ? `${violation.id} ${violation.kind}` : 'holds';
}

const TEXTS: readonly (keyof OutboxEntry)[] = [
  ...([
    'subject',
    'actor',
    'address',
    'requestId',
    'at',
    'cluster',
    'host',
    'operation',
    'dataJson',
  ] as const),
];

describe('the chain of the log', () => {
  test.each<[string, string, Log]>([
    ['that is empty', 'holds', createLog()],
    ['as it was written', 'holds', SIX],
    ['that was cut off at a signed point', 'holds', pruned(SIX, 3)],
    ['that was cut off more than once', 'holds', pruned(pruned(SIX, 2), 2)],
    ['that was cut off to the end', 'holds', pruned(SIX, 6)],
    ['that jumped ahead by a restore', 'holds', restored],
    ['that was cut off right before the jump', 'holds', pruned(restored, 2)],
    ['with a type changed', '3 changed', altered(SIX, 3, { type: 'network.changed' })],
    ['with a hash changed', '3 changed', altered(SIX, 3, { hash: 'x' })],
    ['with two entries swapped', '3 changed', reordered(SIX, 1, 2, 4, 3, 5, 6)],
    ['with one taken away in the middle', '3 missing', without(SIX, 3)],
    ['with one taken away and the rest renumbered', '3 changed', reordered(SIX, 1, 2, 4, 5, 6)],
    ['with one added at the end', '7 changed', added(SIX, forged(7))],
    ['with one put back before the cut', '2 before', added(pruned(SIX, 3), forged(2))],
    ['with one added before all numbers', '-5 before', added(SIX, forged(-5))],
    ['with the front taken away without a cut', '1 missing', without(SIX, 1, 2)],
    ['with more of the front taken away than was cut off', '3 missing', without(pruned(SIX, 2), 3)],
    ['that was cut off by somebody without the key', '4 prunePoint', pruned(SIX, 3, OTHER_KEY)],
    [
      'whose beginning was moved without a cut',
      '2 prunePoint',
      { ...without(SIX, 1), state: { ...SIX.state, firstId: 2 } },
    ],
    ['without its cut', '1 missing', { ...pruned(SIX, 3), state: SIX.state }],
    ['without its newest entries', '5 end', without(SIX, 5, 6)],
    ['with nothing left', '1 end', without(SIX, 1, 2, 3, 4, 5, 6)],
    ['whose state was put back', '3 state', { ...SIX, state: createLog(event(1), event(2)).state }],
    ['whose state was rewritten', '6 last', { ...SIX, state: { ...SIX.state, lastHash: 'x' } }],
    [
      'that jumped ahead without a restore',
      '3 missing',
      altered(restored, JUMP, { type: 'network.created' }),
    ],
    [
      'with a jump of somebody without the key',
      `${JUMP} changed`,
      added(createLog(event(1), event(2)), forged(JUMP, RESTORED)),
    ],
    ['with entries taken away before the jump', `${JUMP} changed`, without(restored, 2)],
  ])('of a log %s: %s', (_what, expected, log) => {
    expect(verify(log)).toBe(expected);
  });

  test.each(TEXTS)('of a log with another %s in an entry does not hold', text => {
    expect(verify(altered(SIX, 4, { [text]: 'other' }))).toBe('4 changed');
  });

  test('does not hold with another key', () => {
    expect(verifyEntries(OTHER_KEY, { id: 0, hash: '' }, SIX.entries)).toEqual({ id: 1, kind: 'changed' });
  });

  test('cannot tell a log that was put back as a whole from one that never went on', () => {
    expect(verify(createLog(event(1), event(2)))).toBe('holds');
  });
});
