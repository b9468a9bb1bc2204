import { describe, expect, test } from 'vitest';
import type { LockedKind } from './lock-order.ts';
import { LockOrder } from './lock-order.ts';

const lockAll = (rows: readonly (readonly [LockedKind, string])[]) => () => {
  const order = new LockOrder();
  for (const [kind, key] of rows) order.next(kind, key);
};

describe('the order of locks', () => {
  test.each([
    [
      'one kind after the other',
      [
        ['network', 'z'],
        ['container_manager', 'a'],
        ['cluster', 'm'],
        ['host', 'a'],
      ],
    ],
    [
      'rows of one kind by key',
      [
        ['host', 'a'],
        ['host', 'b'],
        ['host', 'c'],
      ],
    ],
    [
      'the same row again',
      [
        ['cluster', 'a'],
        ['cluster', 'a'],
        ['host', 'x'],
      ],
    ],
  ] as const)('allows %s', (_what, rows) => {
    expect(lockAll(rows)).not.toThrow();
  });

  test.each([
    [
      'a cluster after its hosts',
      [
        ['host', 'a'],
        ['cluster', 'a'],
      ],
    ],
    [
      'a network after a cluster',
      [
        ['cluster', 'a'],
        ['network', 'a'],
      ],
    ],
    [
      'rows of one kind in another order',
      [
        ['host', 'b'],
        ['host', 'a'],
      ],
    ],
  ] as const)('refuses %s', (_what, rows) => {
    expect(lockAll(rows)).toThrow(/^wrong lock order/);
  });
});
