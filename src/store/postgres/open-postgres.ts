import { Kysely } from 'kysely';
import { PlainError } from '../../lib/plain-error.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { inTransaction } from '../in-transaction.ts';
import { hasCurrentSchema, migrate, requireCurrentSchema } from '../migrate.ts';
import { Records } from '../records.ts';
import type { Engine } from '../session.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import { postgresDialect } from './dialect.ts';
import { isOthersFault, isRefusedByServer } from './failures.ts';
import { openPool } from './pool.ts';

/** Longer than any of PostgreSQL's own limits (`pool.ts`). */
const ANSWER_WITHIN_MS = 15_000;
/** At once, so that long lists leave connections to others. */
const MAX_SNAPSHOTS = 3;

let prepared = 0;

const ENGINE: Engine = {
  hasRowLocks: true,
  // Under a name PostgreSQL plans it once for each connection.
  prepare: query => {
    prepared += 1;
    const named = { ...query, name: `hostler_${prepared}` };
    return async (parameters, db) => (await db.executeQuery({ ...named, parameters })).rows;
  },
};

/** Opens the store that several servers share. Whoever only visits takes the schema as it is. */
export async function openPostgres(
  url: string,
  { visiting = false, answerWithinMs = ANSWER_WITHIN_MS } = {},
): Promise<Store> {
  const db = new Kysely<Tables>({ dialect: postgresDialect(openPool(url, answerWithinMs)) });
  try {
    await (visiting ? requireCurrentSchema(db) : migrate(db));
  } catch (error) {
    await db.destroy();
    throw isRefusedByServer(error)
      ? new PlainError(`PostgreSQL refuses: ${error.message}; check the setting store`)
      : error;
  }
  const snapshots = new Semaphore(MAX_SNAPSHOTS, Number.POSITIVE_INFINITY);
  return {
    reads: new Records(db, ENGINE),
    transaction: work => inTransaction(db, ENGINE, work, isOthersFault),
    snapshot: work =>
      snapshots.run(() =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(transaction => work(new Records(transaction, ENGINE))),
      ),
    hasCurrentSchema: () => hasCurrentSchema(db),
    close: () => db.destroy(),
  };
}
