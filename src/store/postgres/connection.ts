// What became of a commit that was sent and not answered. PostgreSQL remembers how each transaction ended, by its id. But what was not
// yet on disk when it crashed is forgotten, and the ids of it are given out anew: then another transaction may have ours. So the id is
// good for one life of PostgreSQL, which ends with a crash or with a move to another machine, and not with a restart in order.

import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type pg from 'pg';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { StoreMetrics } from '../store-metrics.ts';
import type { OutageRetry } from './errors.ts';
import { ConnectionLostError, isConnectionFailure, toStoreError } from './errors.ts';

/** Statistics begin anew after a crash, and are another machine's own. */
const GENERATION_SQL = '(select stats_reset::text from pg_stat_bgwriter) as life';

/** In which each connection was made: none outlives it. */
const generations = new WeakMap<pg.ClientBase, string>();

export async function recordGeneration(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`select ${GENERATION_SQL}`);
  generations.set(client, rows[0]?.life);
}

export interface TransactionId {
  readonly id: string;
  readonly generation: string | undefined;
}

/** Asked when a transaction begins. */
export const SELECT_TRANSACTION_ID = 'select pg_current_xact_id()::text as id';

/** What that answered, on this connection. */
export const toTransactionId = (id: string, client: pg.ClientBase): TransactionId => ({
  id,
  generation: generations.get(client),
});

/** The backend that was cut off may be at it still. */
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
        text: `select pg_xact_status($1::xid8) as fate, ${GENERATION_SQL}`,
        values: [id],
      });
      // Whoever has the id by now, it is not us if that was aborted.
      if (rows[0]?.fate === 'aborted') return 'aborted';
      if (generation === undefined || rows[0]?.life !== generation) return 'unknown';
      if (rows[0]?.fate === 'committed') return 'committed';
      await delay(RETRY_DELAY_MS);
    }
  } catch {
    // It is away for longer, or has not come so far again.
  }
  return 'unknown';
}

/** The answer to the last of the statements that were sent as one. */
const lastResult = (result: pg.QueryResult | readonly pg.QueryResult[]) =>
  Array.isArray(result) ? result.at(-1) : result;

/**
 * A connection of the pool, taken when it is first needed. What must hold: outside of transactions only reads are asked, and these may
 * be asked again on another connection; inside, one that breaks has ended the transaction, and no other takes its place.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #pool: pg.Pool;
  readonly #outageRetry: OutageRetry;
  readonly #metrics: Pick<StoreMetrics, 'statementEnded'> | undefined;
  #client: pg.PoolClient | undefined;
  #isInTransaction = false;
  /** By which PostgreSQL knows whether it was committed; a transaction that only reads has none. */
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
    // In one message with its id, so that this costs no way there and back.
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

  /** What has lost its connection is as good as rolled back: PostgreSQL does so when the connection ends. */
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
      // Nobody knows what is still to come on it. And others may need its place.
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

  /** The answer to a commit was lost. */
  async #resolveCommit(id: TransactionId, connectionError: ConnectionLostError): Promise<void> {
    const connection = new PostgresConnection(this.#pool, this.#outageRetry, this.#metrics);
    const outcome = await resolveCommitOutcome(id, query =>
      this.#outageRetry.run(() => connection.#query(query)),
    );
    connection.release();
    if (outcome === 'committed') return;
    throw outcome === 'aborted' ? connectionError : new StoreUnavailableError(connectionError.cause);
  }
}
