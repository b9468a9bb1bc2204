// What became of a commit that was sent and not answered. PostgreSQL remembers how each transaction ended, by its id. But what was not
// yet on disk when it crashed is forgotten, and the ids of it are given out anew: then another transaction may have ours. So the id is
// good for one life of PostgreSQL, which ends with a crash or with a move to another machine, and not with a restart in order.

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** Statistics begin anew after a crash, and are another machine's own. */
const LIFE = '(select stats_reset::text from pg_stat_bgwriter) as life';

/** In which each connection was made: none outlives it. */
const lives = new WeakMap<pg.ClientBase, string>();

export async function noteLife(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`select ${LIFE}`);
  lives.set(client, rows[0]?.life);
}

export interface TransactionId {
  readonly id: string;
  readonly life: string | undefined;
}

/** Asked when a transaction begins. */
export const SELECT_TRANSACTION_ID = 'select pg_current_xact_id()::text as id';

/** What that answered, on this connection. */
export const transactionId = (id: string, client: pg.ClientBase): TransactionId => ({
  id,
  life: lives.get(client),
});

/** The backend that was cut off may be at it still. */
const SETTLE_WITHIN_MS = 2500;
const PAUSE_MS = 100;

export async function commitFate(
  { id, life }: TransactionId,
  ask: (query: pg.QueryConfig) => Promise<pg.QueryResult>,
): Promise<'committed' | 'aborted' | 'unknown'> {
  const untilMs = performance.now() + SETTLE_WITHIN_MS;
  try {
    while (performance.now() < untilMs) {
      const { rows } = await ask({ text: `select pg_xact_status($1::xid8) as fate, ${LIFE}`, values: [id] });
      // Whoever has the id by now, it is not us if that was aborted.
      if (rows[0]?.fate === 'aborted') return 'aborted';
      if (life === undefined || rows[0]?.life !== life) return 'unknown';
      if (rows[0]?.fate === 'committed') return 'committed';
      await delay(PAUSE_MS);
    }
  } catch {
    // It is away for longer, or has not come so far again.
  }
  return 'unknown';
}
