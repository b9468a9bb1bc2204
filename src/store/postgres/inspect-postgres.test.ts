import { describe, expect, test } from 'vitest';
import type { PostgresProperties } from './inspect-postgres.ts';
import { findIncompatibilities } from './inspect-postgres.ts';

const PROPERTIES: PostgresProperties = {
  version: '13.0',
  majorVersion: 13,
  encoding: 'UTF8',
  role: 'hostler',
  canCreateTables: true,
  isStandby: false,
  maxConnections: 97,
};

describe('a PostgreSQL', () => {
  test('of the oldest version, in UTF-8, where the role may make tables, can be used', () => {
    expect(findIncompatibilities(PROPERTIES)).toEqual([]);
  });

  test.each<[Partial<PostgresProperties>, string]>([
    [{ version: '12.22', majorVersion: 12 }, 'PostgreSQL 13 or later is required; this is 12.22'],
    [
      { encoding: 'LATIN1' },
      'the encoding of the database is LATIN1, but must be UTF8; create another database:',
    ],
    [
      { canCreateTables: false },
      'the role hostler cannot create tables in this database; make it the owner:',
    ],
  ])('with %j cannot', (changes, reason) => {
    expect(findIncompatibilities({ ...PROPERTIES, ...changes })).toEqual([expect.stringContaining(reason)]);
  });

  test('of which several things are wrong is told all of them', () => {
    expect(
      findIncompatibilities({ ...PROPERTIES, majorVersion: 12, encoding: 'LATIN1', canCreateTables: false }),
    ).toHaveLength(3);
  });
});
