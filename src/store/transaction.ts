import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { AppError, RetryTransaction, StoreUnavailableError } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { exponentialBackoffMs } from '../lib/time/backoff.ts';
import { Repositories } from './repositories/index.ts';
import type { SqlEngine } from './sql-session.ts';
import type { Tables } from './tables/tables.ts';

const MAX_ATTEMPTS = 10;
const INITIAL_BACKOFF_MS = 20;
const MAX_BACKOFF_MS = 500;

class RollbackWithResult<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('rolled back');
    this.result = result;
  }
}

interface TransactionOptions {
  readonly isConflict: (error: unknown) => boolean;
  readonly shouldRetry?: (error: unknown, attempt: number) => Promise<boolean>;
  readonly notify: (signals: Iterable<Signal>) => void;
}

const currentTransaction = new AsyncLocalStorage<true>();

async function runOnce<T>(
  db: Kysely<Tables>,
  engine: SqlEngine,
  run: (records: Repositories) => Promise<T>,
): Promise<{ result: T; signals: ReadonlySet<Signal> }> {
  let rollback: RollbackWithResult<T> | undefined;
  try {
    return await db.transaction().execute(async transaction => {
      const records = new Repositories(transaction, engine);
      const result = await run(records);
      if (!(result instanceof AppError)) return { result, signals: records.signals };
      rollback = new RollbackWithResult(result);
      throw rollback;
    });
  } catch (error) {
    if (rollback !== undefined && error === rollback) return { result: rollback.result, signals: new Set() };
    throw error;
  }
}

/**
 * Commits the result of `run`. An `AppError` as the result, or an exception, rolls everything back. A
 * conflict is retried after a random delay, and becomes `StoreUnavailableError` if the retries fail.
 * `shouldRetry` allows further retries of transactions that had no effect. Signals are sent after the commit.
 */
export async function runTransaction<T>(
  db: Kysely<Tables>,
  engine: SqlEngine,
  run: (records: Repositories) => Promise<T>,
  { isConflict, shouldRetry = async () => false, notify }: TransactionOptions,
): Promise<T> {
  if (currentTransaction.getStore()) throw new Error('nested transaction: it would wait for the outer one forever');
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { result, signals } = await currentTransaction.run(true, () => runOnce(db, engine, run));
      notify(signals);
      return result;
    } catch (error) {
      if (await shouldRetry(error, attempt)) continue;
      if (!(error instanceof RetryTransaction || isConflict(error))) throw error;
      if (attempt >= MAX_ATTEMPTS) throw new StoreUnavailableError(error);
      await delay(Math.random() * exponentialBackoffMs(INITIAL_BACKOFF_MS, attempt, MAX_BACKOFF_MS));
    }
  }
}
