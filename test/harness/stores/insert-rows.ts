// Fills tables with one statement, for set-ups with thousands of rows. On PostgreSQL each statement takes a round trip.

import type { Insertable } from 'kysely';
import type { Host } from '../../../src/domain/hosts/host.ts';
import { toHostRow } from '../../../src/store/repositories/hosts/host-rows.ts';
import type { Tables } from '../../../src/store/tables/tables.ts';
import type { TestDatabase } from './stores.ts';
import { runSql } from './stores.ts';

function toLiteral(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

/** All rows must have the same columns. */
export function insertRows<Table extends keyof Tables>(
  database: TestDatabase,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const tuples = rows.map(row => {
    const values = new Map<string, unknown>(Object.entries(row));
    return `(${columns.map(column => toLiteral(values.get(column))).join(', ')})`;
  });
  return runSql(database, `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}`);
}

export const insertHosts = (database: TestDatabase, hosts: readonly Host[]): Promise<void> =>
  insertRows(database, 'hosts', hosts.map(toHostRow));
