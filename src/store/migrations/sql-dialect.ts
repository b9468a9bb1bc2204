import type { Kysely, RawBuilder } from 'kysely';
import { PostgresAdapter, sql } from 'kysely';

export interface ColumnTypes {
  readonly isPostgres: boolean;
  /** Text that both engines compare by code point. */
  readonly ordered: RawBuilder<unknown>;
  readonly identity: RawBuilder<unknown>;
}

export const isPostgres = <Schema>(db: Kysely<Schema>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

export const columnTypesFor = (db: Kysely<unknown>): ColumnTypes =>
  isPostgres(db)
    ? {
        isPostgres: true,
        ordered: sql`text collate "C"`,
        identity: sql`bigint generated always as identity primary key`,
      }
    : { isPostgres: false, ordered: sql`text`, identity: sql`integer primary key autoincrement` };
