import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { happened } from '../../test/harness/events/happened.ts';
import type { LogState } from '../domain/events/event-log.ts';
import { appendToChain, entryHash, prunePointMac } from './hash-chain.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const EMPTY: LogState = { lastId: 0, lastHash: '', firstId: 1, firstReadableId: 1, prunePoint: null };
const RESTORED_AT = '2026-11-15T08:00:00.000000';
const RESTORED_ID = Date.UTC(2026, 10, 15, 8) * 1000;
const restored = happened('', { type: 'service.restored', at: RESTORED_AT });

describe('the numbers of new entries', () => {
  const [a, b] = [happened('a'), happened('b')];
  test.each([
    ['begin with 1', EMPTY, [a, b], [1, 2], 1],
    ['go on without a gap', { ...EMPTY, lastId: 41 }, [a, b], [42, 43], 1],
    ['stay where they are when there is nothing new', { ...EMPTY, lastId: 41 }, [], [], 1],
    [
      'jump ahead after a restore, and go on from there',
      { ...EMPTY, lastId: 41 },
      [a, restored, b],
      [42, RESTORED_ID, RESTORED_ID + 1],
      RESTORED_ID,
    ],
    [
      'never go back, also when a clock does',
      { ...EMPTY, lastId: RESTORED_ID + 5 },
      [restored, a],
      [RESTORED_ID + 6, RESTORED_ID + 7],
      RESTORED_ID + 6,
    ],
  ])('%s', (_what, before, entries, ids, firstReadableId) => {
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

describe('a hash', () => {
  const entry = happened('a', { cluster: 'c', host: '127.0.0.1', operation: 'o' });
  const hash = entryHash(KEY, 'before', 7, entry);

  test('is the same for the same entry in the same place', () => {
    expect(entryHash(KEY, 'before', 7, { ...entry })).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(Object.keys(entry) as (keyof typeof entry)[])('is another with another %s', field => {
    expect(entryHash(KEY, 'before', 7, { ...entry, [field]: 'other' })).not.toBe(hash);
  });

  test('is another in another place, after another entry, or with another key', () => {
    const others = [
      entryHash(KEY, 'before', 8, entry),
      entryHash(KEY, 'other', 7, entry),
      entryHash(createSecretKey(Buffer.alloc(32, 2)), 'before', 7, entry),
    ];
    expect(new Set([hash, ...others]).size).toBe(4);
  });

  test('is made over the hash of the entry before', () => {
    const { added } = appendToChain(KEY, EMPTY, [happened('a'), happened('b')]);
    const [first, second] = added;
    expect(first?.hash).toBe(entryHash(KEY, '', 1, happened('a')));
    expect(second?.hash).toBe(entryHash(KEY, first?.hash ?? '', 2, happened('b')));
  });
});

test('the signed texts stay the same, so that the chain of an existing store stays valid', () => {
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

test('a cut is signed by all that it says', () => {
  const cut = { firstId: 5, hash: 'h', at: RESTORED_AT };
  const macs = [cut, { ...cut, firstId: 6 }, { ...cut, hash: 'i' }, { ...cut, at: '' }].map(each =>
    prunePointMac(KEY, each),
  );
  expect(new Set(macs).size).toBe(4);
});
