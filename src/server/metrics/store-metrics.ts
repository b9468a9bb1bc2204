import type { PoolStats } from '../../store/store.ts';
import type { StoreMetrics } from '../../store/store-metrics.ts';
import { TRANSACTION_OUTCOMES } from '../../store/store-metrics.ts';
import { counter, gauge, histogram, SHORT_BUCKETS } from './metric.ts';
import type { Registry } from './registry.ts';

export const STORE_METRICS = {
  up: gauge(
    'hostler_store_up',
    'Whether the store responded to this scrape within three seconds: 1 if so, otherwise 0.',
  ),
  transactions: counter('hostler_store_transactions_total', 'Transactions, by outcome.', {
    outcome: TRANSACTION_OUTCOMES,
  }),
  transactionDuration: histogram(
    'hostler_store_transaction_duration_seconds',
    'Duration of transactions, including retries and the time in which they wait for other transactions.',
    SHORT_BUCKETS,
  ),
  retries: counter(
    'hostler_store_transaction_retries_total',
    'Transaction retries after conflicts or lost connections.',
  ),
  snapshotDuration: histogram(
    'hostler_store_snapshot_duration_seconds',
    'Duration of snapshot reads, such as long lists. It depends on how fast the client reads.',
    SHORT_BUCKETS,
  ),
  statementDuration: histogram(
    'hostler_store_statement_duration_seconds',
    'Duration of single statements, from the query to the result.',
    SHORT_BUCKETS,
  ),
  pool: gauge('hostler_store_pool_connections', 'Connections to PostgreSQL. Not exported with SQLite.', {
    state: ['busy', 'idle'],
  }),
  poolWaiting: gauge(
    'hostler_store_pool_waiting',
    'Queries and transactions that wait for a connection to PostgreSQL. Always 0 with SQLite.',
  ),
};

export function createStoreMetrics(registry: Registry) {
  const instruments = registry.create(STORE_METRICS);
  const metrics: StoreMetrics = {
    transactionEnded: (outcome, seconds, runs) => {
      instruments.transactions.add(1, outcome);
      instruments.transactionDuration.observe(seconds);
      if (runs > 1) instruments.retries.add(runs - 1);
    },
    snapshotEnded: seconds => instruments.snapshotDuration.observe(seconds),
    statementEnded: seconds => instruments.statementDuration.observe(seconds),
  };
  const set = (isUp: boolean, pool: PoolStats | undefined) => {
    instruments.up.set(isUp ? 1 : 0);
    instruments.poolWaiting.set(pool?.waiting ?? 0);
    if (pool === undefined) return;
    instruments.pool.set(pool.busy, 'busy');
    instruments.pool.set(pool.idle, 'idle');
  };
  return { metrics, set };
}
