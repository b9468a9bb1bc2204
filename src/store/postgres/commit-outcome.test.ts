import type pg from 'pg';
import { expect, test } from 'vitest';
import { resolveCommitOutcome } from './connection.ts';

const TRANSACTION = { id: '7', generation: 'since noon' };
const queryReturning = (...rows: { fate: string | null; life: string }[]) => {
  const remaining = [...rows];
  return async () => {
    const row = remaining.length > 1 ? remaining.shift() : remaining[0];
    if (row === undefined) throw new Error('transaction ID 7 is in the future');
    return { rows: [row] } as pg.QueryResult;
  };
};

test.each([
  ['was committed', 'committed', [{ fate: 'committed', life: 'since noon' }]],
  ['was aborted', 'aborted', [{ fate: 'aborted', life: 'since noon' }]],
  [
    'was still under way, and was committed then',
    'committed',
    [
      { fate: 'in progress', life: 'since noon' },
      { fate: 'committed', life: 'since noon' },
    ],
  ],
  ['may be another, since PostgreSQL has crashed', 'unknown', [{ fate: 'committed', life: 'since one' }]],
  ['was aborted, or another that has its id was', 'aborted', [{ fate: 'aborted', life: 'since one' }]],
  ['is older than PostgreSQL remembers', 'unknown', [{ fate: null, life: 'since one' }]],
  ['is not known any more', 'unknown', []],
])('a commit whose answer was lost %s', async (_what, fate, answers) => {
  expect(await resolveCommitOutcome(TRANSACTION, queryReturning(...answers))).toBe(fate);
});

test('nothing is believed of a connection whose life is not known', async () => {
  const query = queryReturning({ fate: 'committed', life: 'since noon' });
  expect(await resolveCommitOutcome({ id: '7', generation: undefined }, query)).toBe('unknown');
});
