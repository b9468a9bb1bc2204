import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { AppError, RetryTransaction, StoreUnavailableError } from '../domain/errors.ts';
import type { Signal } from '../domain/events/signal.ts';
import { Records } from './records.ts';
import type { SqlEngine } from './sql-session.ts';
import type { Tables } from './tables/tables.ts';

const MAX_ATTEMPTS = 10;
const LONGEST_PAUSE_MS = 500;

/** Carries what a transaction answered out of it, while its exception rolls everything back. */
class RolledBack<T> extends Error {
  readonly answer: T;

  constructor(answer: T) {
    super('rolled back');
    this.answer = answer;
  }
}

interface TransactionRules {
  readonly isOthersFault: (error: unknown) => boolean;
  readonly passes?: (error: unknown, attempt: number) => Promise<boolean>;
  readonly announce: (signals: Iterable<Signal>) => void;
}

const inside = new AsyncLocalStorage<true>();

async function once<T>(
  db: Kysely<Tables>,
  engine: SqlEngine,
  work: (records: Records) => Promise<T>,
): Promise<{ answer: T; signals: ReadonlySet<Signal> }> {
  let refused: RolledBack<T> | undefined;
  try {
    return await db.transaction().execute(async transaction => {
      const records = new Records(transaction, engine);
      const answer = await work(records);
      if (!(answer instanceof AppError)) return { answer, signals: records.signals };
      refused = new RolledBack(answer);
      throw refused;
    });
  } catch (error) {
    if (refused !== undefined && error === refused) return { answer: refused.answer, signals: new Set() };
    throw error;
  }
}

/**
 * Commits what `work` answers; a Refusal or an exception rolls everything back. What failed because others were in the way is run
 * again, a random moment later; if that does not help, the store is as good as away. What is over once `passes` says so, and has left
 * nothing behind, is run again too. What servers are to hear of is announced once it is committed.
 */
export async function inTransaction<T>(
  db: Kysely<Tables>,
  engine: SqlEngine,
  work: (records: Records) => Promise<T>,
  { isOthersFault, passes = async () => false, announce }: TransactionRules,
): Promise<T> {
  if (inside.getStore()) throw new Error('nested transaction: it would wait for the outer one forever');
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { answer, signals } = await inside.run(true, () => once(db, engine, work));
      announce(signals);
      return answer;
    } catch (error) {
      if (await passes(error, attempt)) continue;
      if (!(error instanceof RetryTransaction || isOthersFault(error))) throw error;
      if (attempt >= MAX_ATTEMPTS) throw new StoreUnavailableError(error);
      await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt));
    }
  }
}
