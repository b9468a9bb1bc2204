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

describe('findIncompatibilities', () => {
  test('accepts the oldest version with UTF-8 and a role that can create tables', () => {
    expect(findIncompatibilities(PROPERTIES)).toEqual([]);
  });

  test.each<[Partial<PostgresProperties>, string]>([
    [{ version: '12.22', majorVersion: 12 }, 'PostgreSQL 13 or later is required; this is 12.22'],
    [{ encoding: 'LATIN1' }, 'the encoding of the database is LATIN1, but must be UTF8; create another database:'],
    [{ canCreateTables: false }, 'the role hostler cannot create tables in this database; make it the owner:'],
  ])('rejects %j', (changes, reason) => {
    expect(findIncompatibilities({ ...PROPERTIES, ...changes })).toEqual([expect.stringContaining(reason)]);
  });

  test('returns all problems', () => {
    expect(
      findIncompatibilities({ ...PROPERTIES, majorVersion: 12, encoding: 'LATIN1', canCreateTables: false }),
    ).toHaveLength(3);
  });
});
