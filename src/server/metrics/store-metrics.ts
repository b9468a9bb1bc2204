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

export interface StoreMetricsCollector {
  readonly metrics: StoreMetrics;
  setUp(isUp: boolean): void;
  setPool(stats: PoolStats | undefined): void;
}

export function createStoreMetrics(registry: Registry): StoreMetricsCollector {
  const metrics = registry.create(STORE_METRICS);
  return {
    metrics: {
      transactionEnded: (outcome, seconds, runs) => {
        metrics.transactions.add(1, outcome);
        metrics.transactionDuration.observe(seconds);
        if (runs > 1) metrics.retries.add(runs - 1);
      },
      snapshotEnded: seconds => metrics.snapshotDuration.observe(seconds),
      statementEnded: seconds => metrics.statementDuration.observe(seconds),
    },
    setUp: isUp => metrics.up.set(isUp ? 1 : 0),
    setPool: stats => {
      metrics.poolWaiting.set(stats?.waiting ?? 0);
      if (stats === undefined) return;
      metrics.pool.set(stats.busy, 'busy');
      metrics.pool.set(stats.idle, 'idle');
    },
  };
}
