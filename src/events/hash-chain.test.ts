import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { outboxEntry } from '../../test/harness/events/outbox-entries.ts';
import type { LogState } from '../domain/events/event-log.ts';
import { appendToChain, entryHash, prunePointMac } from './hash-chain.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const EMPTY: LogState = { lastId: 0, lastHash: '', firstId: 1, firstReadableId: 1, prunePoint: null };
const RESTORED_AT = '2026-11-15T08:00:00.000000';
const RESTORED_ID = Date.UTC(2026, 10, 15, 8) * 1000;
const restored = outboxEntry('', { type: 'service.restored', at: RESTORED_AT });

describe('the ids of new log entries', () => {
  const [a, b] = [outboxEntry('a'), outboxEntry('b')];
  test.each([
    ['start at 1', EMPTY, [a, b], [1, 2], 1],
    ['continue without a gap', { ...EMPTY, lastId: 41 }, [a, b], [42, 43], 1],
    ['do not change without new entries', { ...EMPTY, lastId: 41 }, [], [], 1],
    [
      'jump after a restore and continue from there',
      { ...EMPTY, lastId: 41 },
      [a, restored, b],
      [42, RESTORED_ID, RESTORED_ID + 1],
      RESTORED_ID,
    ],
    [
      'never decrease, even if the clock is set back',
      { ...EMPTY, lastId: RESTORED_ID + 5 },
      [restored, a],
      [RESTORED_ID + 6, RESTORED_ID + 7],
      RESTORED_ID + 6,
    ],
  ])('%s', (_case, before, entries, ids, firstReadableId) => {
    const { added, state } = appendToChain(KEY, before, entries);
    expect(added.map(({ id }) => id)).toEqual(ids);
    expect(state).toEqual({
      ...before,
      lastId: ids.at(-1) ?? before.lastId,
      lastHash: added.at(-1)?.hash ?? before.lastHash,
      firstReadableId,
    });
  });
});

describe('the hash of a log entry', () => {
  const entry = outboxEntry('a', { cluster: 'c', host: '127.0.0.1', operation: 'o' });
  const hash = entryHash(KEY, 'before', 7, entry);

  test('is the same for the same entry at the same position', () => {
    expect(entryHash(KEY, 'before', 7, { ...entry })).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(Object.keys(entry) as (keyof typeof entry)[])('depends on %s', field => {
    expect(entryHash(KEY, 'before', 7, { ...entry, [field]: 'other' })).not.toBe(hash);
  });

  test('depends on the id, the previous hash and the key', () => {
    const others = [
      entryHash(KEY, 'before', 8, entry),
      entryHash(KEY, 'other', 7, entry),
      entryHash(createSecretKey(Buffer.alloc(32, 2)), 'before', 7, entry),
    ];
    expect(new Set([hash, ...others]).size).toBe(4);
  });

  test('covers the hash of the previous entry', () => {
    const { added } = appendToChain(KEY, EMPTY, [outboxEntry('a'), outboxEntry('b')]);
    const [first, second] = added;
    expect(first?.hash).toBe(entryHash(KEY, '', 1, outboxEntry('a')));
    expect(second?.hash).toBe(entryHash(KEY, first?.hash ?? '', 2, outboxEntry('b')));
  });
});

test('the format of signed texts does not change, so the chain of an existing store stays valid', () => {
  const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('hex');
  const entry = {
    ...({ type: 'operation.state', subject: 's', actor: 'a', address: '::1', requestId: 'r' } as const),
    ...{ at: RESTORED_AT, cluster: 'c', host: null, operation: 'o', dataJson: '{}' },
  };
  expect(entryHash(KEY, 'before', 7, entry)).toBe(
    hmac(`["before",7,"operation.state","s","a","::1","r","${RESTORED_AT}","c",null,"o","{}"]`),
  );
  expect(prunePointMac(KEY, { firstId: 5, hash: 'h', at: RESTORED_AT })).toBe(
    hmac(`{"first_id":5,"hash":"h","at":"${RESTORED_AT}"}`),
  );
});

test('the MAC of a prune point covers all of its fields', () => {
  const prunePoint = { firstId: 5, hash: 'h', at: RESTORED_AT };
  const macs = [prunePoint, { ...prunePoint, firstId: 6 }, { ...prunePoint, hash: 'i' }, { ...prunePoint, at: '' }].map(
    point => prunePointMac(KEY, point),
  );
  expect(new Set(macs).size).toBe(4);
});
