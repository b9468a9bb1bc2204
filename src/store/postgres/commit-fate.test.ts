import type pg from 'pg';
import { expect, test } from 'vitest';
import { commitFate } from './commit-fate.ts';

const OURS = { id: '7', life: 'since noon' };
const answering = (...answers: { fate: string | null; life: string }[]) => {
  const left = [...answers];
  return async () => {
    const answer = left.length > 1 ? left.shift() : left[0];
    if (answer === undefined) throw new Error('transaction ID 7 is in the future');
    return { rows: [answer] } as pg.QueryResult;
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
  expect(await commitFate(OURS, answering(...answers))).toBe(fate);
});

test('nothing is believed of a connection whose life is not known', async () => {
  const ask = answering({ fate: 'committed', life: 'since noon' });
  expect(await commitFate({ id: '7', life: undefined }, ask)).toBe('unknown');
});
