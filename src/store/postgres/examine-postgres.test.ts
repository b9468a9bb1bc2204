import { describe, expect, test } from 'vitest';
import type { PostgresFacts } from './examine-postgres.ts';
import { unusable } from './examine-postgres.ts';

const FACTS: PostgresFacts = {
  version: '13.0',
  majorVersion: 13,
  encoding: 'UTF8',
  role: 'hostler',
  mayMakeTables: true,
  isStandby: false,
  maxConnections: 97,
};

describe('a PostgreSQL', () => {
  test('of the oldest version, in UTF-8, where the role may make tables, can be used', () => {
    expect(unusable(FACTS)).toEqual([]);
  });

  test.each<[Partial<PostgresFacts>, string]>([
    [{ version: '12.22', majorVersion: 12 }, 'PostgreSQL 13 or later is required; this is 12.22'],
    [
      { encoding: 'LATIN1' },
      'the encoding of the database is LATIN1, but must be UTF8; create another database:',
    ],
    [{ mayMakeTables: false }, 'the role hostler cannot create tables in this database; make it the owner:'],
  ])('with %j cannot', (facts, reason) => {
    expect(unusable({ ...FACTS, ...facts })).toEqual([expect.stringContaining(reason)]);
  });

  test('of which several things are wrong is told all of them', () => {
    expect(unusable({ ...FACTS, majorVersion: 12, encoding: 'LATIN1', mayMakeTables: false })).toHaveLength(
      3,
    );
  });
});
