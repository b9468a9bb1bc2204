// Resolves the outcome of a commit whose response was lost. PostgreSQL records by transaction id whether a
// transaction was committed. After a crash it forgets ids that were not yet on disk and assigns them again,
// so an id is only valid within one generation: until a crash or a failover, but not a clean restart.

import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type pg from 'pg';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { StoreMetrics } from '../store-metrics.ts';
import type { OutageRetry } from './errors.ts';
import { ConnectionLostError, isConnectionFailure, toStoreError } from './errors.ts';

/** The statistics are reset by a crash, and are different on another machine. */
const GENERATION_SQL = '(select stats_reset::text from pg_stat_bgwriter) as generation';

/** The generation in which each connection was opened. No connection outlives it. */
const generations = new WeakMap<pg.ClientBase, string>();

export async function recordGeneration(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`select ${GENERATION_SQL}`);
  generations.set(client, rows[0]?.generation);
}

export interface TransactionId {
  readonly id: string;
  readonly generation: string | undefined;
}

const SELECT_TRANSACTION_ID = 'select pg_current_xact_id()::text as id';

const toTransactionId = (id: string, client: pg.ClientBase): TransactionId => ({
  id,
  generation: generations.get(client),
});

/** The backend of the lost connection may still be running the commit. */
const RESOLVE_TIMEOUT_MS = 2500;
const RETRY_DELAY_MS = 100;

export async function resolveCommitOutcome(
  { id, generation }: TransactionId,
  runQuery: (query: pg.QueryConfig) => Promise<pg.QueryResult>,
): Promise<'committed' | 'aborted' | 'unknown'> {
  const deadlineMs = performance.now() + RESOLVE_TIMEOUT_MS;
  try {
    while (performance.now() < deadlineMs) {
      const { rows } = await runQuery({
        text: `select pg_xact_status($1::xid8) as outcome, ${GENERATION_SQL}`,
        values: [id],
      });
      // If the id was assigned again, the original transaction was not committed either.
      if (rows[0]?.outcome === 'aborted') return 'aborted';
      if (generation === undefined || rows[0]?.generation !== generation) return 'unknown';
      if (rows[0]?.outcome === 'committed') return 'committed';
      await delay(RETRY_DELAY_MS);
    }
  } catch {
    // PostgreSQL is still unavailable or has not recovered that far.
  }
  return 'unknown';
}

const lastResult = (result: pg.QueryResult | readonly pg.QueryResult[]) =>
  Array.isArray(result) ? result.at(-1) : result;

/**
 * A connection of the pool, acquired on first use. Outside a transaction it only runs reads, which can be
 * retried on another connection. Inside a transaction a lost connection ends the transaction.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #pool: pg.Pool;
  readonly #outageRetry: OutageRetry;
  readonly #metrics: Pick<StoreMetrics, 'statementEnded'> | undefined;
  #client: pg.PoolClient | undefined;
  #isInTransaction = false;
  /** `undefined` for a read-only transaction. */
  #transactionId: TransactionId | undefined;

  constructor(pool: pg.Pool, outageRetry: OutageRetry, metrics?: Pick<StoreMetrics, 'statementEnded'>) {
    this.#pool = pool;
    this.#outageRetry = outageRetry;
    this.#metrics = metrics;
  }

  async executeQuery<Row>(query: CompiledQuery & { readonly name?: string }): Promise<QueryResult<Row>> {
    const { sql: text, parameters, name } = query;
    const values = [...parameters];
    const runQuery = () => this.#query({ text, values, ...(name && { name }) });
    const result = await (this.#isInTransaction ? runQuery() : this.#outageRetry.run(runQuery));
    return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('responses of PostgreSQL are not streamed');
  }

  async begin(mode: string, isReadOnly: boolean): Promise<void> {
    // One message with the query for the id, to save a round trip.
    const text = `begin ${mode}${isReadOnly ? '' : `; ${SELECT_TRANSACTION_ID}`}`;
    const result = lastResult(await this.#outageRetry.run(() => this.#query({ text })));
    this.#isInTransaction = true;
    const id = result?.rows[0]?.id;
    if (this.#client && id !== undefined) this.#transactionId = toTransactionId(id, this.#client);
  }

  async commit(): Promise<void> {
    try {
      await this.#query({ text: 'commit' });
    } catch (error) {
      if (!(error instanceof ConnectionLostError) || this.#transactionId === undefined) throw error;
      await this.#resolveCommit(this.#transactionId, error);
    }
  }

  /** Without a connection there is nothing to do: PostgreSQL rolls back when the connection ends. */
  async rollback(): Promise<void> {
    if (this.#client) await this.#query({ text: 'rollback' });
  }

  release(isBroken = false): void {
    this.#client?.release(isBroken);
    this.#client = undefined;
  }

  async #query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      if (this.#isInTransaction && !this.#client)
        throw new ConnectionLostError('the connection was lost during a transaction');
      this.#client ??= await this.#pool.connect();
      const result = await this.#timedQuery(this.#client, config);
      this.#outageRetry.reset();
      return result;
    } catch (error) {
      // The state of the connection is unknown, and the pool needs the slot.
      if (isConnectionFailure(error)) this.release(true);
      throw toStoreError(error);
    }
  }

  async #timedQuery(client: pg.PoolClient, config: pg.QueryConfig): Promise<pg.QueryResult> {
    const startedMs = performance.now();
    try {
      return await client.query(config);
    } finally {
      this.#metrics?.statementEnded((performance.now() - startedMs) / 1000);
    }
  }

  async #resolveCommit(id: TransactionId, connectionError: ConnectionLostError): Promise<void> {
    const connection = new PostgresConnection(this.#pool, this.#outageRetry, this.#metrics);
    const outcome = await resolveCommitOutcome(id, query => this.#outageRetry.run(() => connection.#query(query)));
    connection.release();
    if (outcome === 'committed') return;
    throw outcome === 'aborted' ? connectionError : new StoreUnavailableError(connectionError.cause);
  }
}
