import type pg from 'pg';
import { expect, test } from 'vitest';
import { resolveCommitOutcome } from './connection.ts';

const TRANSACTION = { id: '7', generation: 'generation 1' };
const queryReturning = (...rows: { outcome: string | null; generation: string }[]) => {
  const remaining = [...rows];
  return async () => {
    const row = remaining.length > 1 ? remaining.shift() : remaining[0];
    if (row === undefined) throw new Error('transaction ID 7 is in the future');
    return { rows: [row] } as pg.QueryResult;
  };
};

test.each([
  ['was committed', 'committed', [{ outcome: 'committed', generation: 'generation 1' }]],
  ['was aborted', 'aborted', [{ outcome: 'aborted', generation: 'generation 1' }]],
  [
    'was in progress and then committed',
    'committed',
    [
      { outcome: 'in progress', generation: 'generation 1' },
      { outcome: 'committed', generation: 'generation 1' },
    ],
  ],
  ['may have a reused id after a crash', 'unknown', [{ outcome: 'committed', generation: 'generation 2' }]],
  ['was aborted, even if its id was reused', 'aborted', [{ outcome: 'aborted', generation: 'generation 2' }]],
  ['is older than the recorded history', 'unknown', [{ outcome: null, generation: 'generation 2' }]],
  ['is unknown', 'unknown', []],
])('resolveCommitOutcome returns $1 for a transaction that %s', async (_case, outcome, rows) => {
  expect(await resolveCommitOutcome(TRANSACTION, queryReturning(...rows))).toBe(outcome);
});

test('resolveCommitOutcome returns unknown if the generation of the connection is unknown', async () => {
  const query = queryReturning({ outcome: 'committed', generation: 'generation 1' });
  expect(await resolveCommitOutcome({ id: '7', generation: undefined }, query)).toBe('unknown');
});
