import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type pg from 'pg';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { StoreMeter } from '../meter.ts';
import type { TransactionId } from './commit-fate.ts';
import { commitFate, SELECT_TRANSACTION_ID, transactionId } from './commit-fate.ts';
import { isConnectionFailure, LostConnection, toldFailure } from './failures.ts';
import type { Outage } from './outage.ts';

/** The answer to the last of the statements that were sent as one. */
const lastOf = (result: pg.QueryResult | readonly pg.QueryResult[]) =>
  Array.isArray(result) ? result.at(-1) : result;

/**
 * A connection of the pool, taken when it is first needed. What must hold: outside of transactions only reads are asked, and these may
 * be asked again on another connection; inside, one that breaks has ended the transaction, and no other takes its place.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #pool: pg.Pool;
  readonly #outage: Outage;
  readonly #meter: Pick<StoreMeter, 'statementEnded'> | undefined;
  #client: pg.PoolClient | undefined;
  #isInTransaction = false;
  /** By which PostgreSQL knows whether it was committed; a transaction that only reads has none. */
  #transactionId: TransactionId | undefined;

  constructor(pool: pg.Pool, outage: Outage, meter?: Pick<StoreMeter, 'statementEnded'>) {
    this.#pool = pool;
    this.#outage = outage;
    this.#meter = meter;
  }

  async executeQuery<Row>(query: CompiledQuery & { readonly name?: string }): Promise<QueryResult<Row>> {
    const { sql: text, parameters, name } = query;
    const values = [...parameters];
    const ask = () => this.#ask({ text, values, ...(name && { name }) });
    const result = await (this.#isInTransaction ? ask() : this.#outage.bridge(ask));
    return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('responses of PostgreSQL are not streamed');
  }

  async begin(mode: string, isReadOnly: boolean): Promise<void> {
    // In one message with its id, so that this costs no way there and back.
    const text = `begin ${mode}${isReadOnly ? '' : `; ${SELECT_TRANSACTION_ID}`}`;
    const begun = lastOf(await this.#outage.bridge(() => this.#ask({ text })));
    this.#isInTransaction = true;
    const id = begun?.rows[0]?.id;
    if (this.#client && id !== undefined) this.#transactionId = transactionId(id, this.#client);
  }

  async commit(): Promise<void> {
    try {
      await this.#ask({ text: 'commit' });
    } catch (error) {
      if (!(error instanceof LostConnection) || this.#transactionId === undefined) throw error;
      await this.#settle(this.#transactionId, error);
    }
  }

  /** What has lost its connection is as good as rolled back: PostgreSQL does so when the connection ends. */
  async rollback(): Promise<void> {
    if (this.#client) await this.#ask({ text: 'rollback' });
  }

  release(isBroken = false): void {
    this.#client?.release(isBroken);
    this.#client = undefined;
  }

  async #ask(config: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      if (this.#isInTransaction && !this.#client)
        throw new LostConnection('the connection was lost during a transaction');
      this.#client ??= await this.#pool.connect();
      const result = await this.#measured(this.#client, config);
      this.#outage.end();
      return result;
    } catch (error) {
      // Nobody knows what is still to come on it. And others may need its place.
      if (isConnectionFailure(error)) this.release(true);
      throw toldFailure(error);
    }
  }

  async #measured(client: pg.PoolClient, config: pg.QueryConfig): Promise<pg.QueryResult> {
    const begunMs = performance.now();
    try {
      return await client.query(config);
    } finally {
      this.#meter?.statementEnded((performance.now() - begunMs) / 1000);
    }
  }

  /** The answer to a commit was lost. */
  async #settle(id: TransactionId, lost: LostConnection): Promise<void> {
    const other = new PostgresConnection(this.#pool, this.#outage, this.#meter);
    const fate = await commitFate(id, query => this.#outage.bridge(() => other.#ask(query)));
    other.release();
    if (fate === 'committed') return;
    throw fate === 'aborted' ? lost : new StoreUnavailableError(lost.cause);
  }
}
