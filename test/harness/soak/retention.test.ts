import { expect, test } from 'vitest';
import { findOverdue } from './lost-work.ts';

test('findOverdue reports only entries past their retention period', () => {
  const nowMs = Date.parse('2026-05-01T12:10:00Z');
  const oldest = {
    ...{ log: '2026-05-01T11:59:59.999000', operations: '2026-05-01T12:00:00.000000' },
    none: null,
  };
  expect(findOverdue(oldest, 8 * 60_000, nowMs)).toEqual([
    'log still has rows of 2026-05-01T11:59:59.999000, retention 480 s',
  ]);
});
