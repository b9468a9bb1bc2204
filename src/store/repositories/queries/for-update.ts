import type { SelectQueryBuilder } from 'kysely';
import type { SqlEngine } from '../../sql-session.ts';

/** Locks the rows that a query finds, where the engine locks rows. */
export const forUpdate = <DB, Table extends keyof DB, Row>(
  { hasRowLocks }: SqlEngine,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> => (hasRowLocks ? query.forUpdate() : query);
