import { describe, expect, test } from 'vitest';
import type { LockKind } from './sql-session.ts';
import { LockOrder } from './sql-session.ts';

const lockInOrder = (rows: readonly (readonly [LockKind, string])[]) => () => {
  const order = new LockOrder();
  for (const [kind, key] of rows) order.assertNext(kind, key);
};

describe('LockOrder', () => {
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
  ] as const)('allows %s', (_case, rows) => {
    expect(lockInOrder(rows)).not.toThrow();
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
  ] as const)('rejects %s', (_case, rows) => {
    expect(lockInOrder(rows)).toThrow(/^wrong lock order/);
  });
});
