// Metrics of the store, read at each scrape. Every server exports the same values. Invariants: the number of
// series is bounded for any size of the fleet, and no old values are exported while the store is unavailable.

import type { HostStats } from '../../domain/fleet-stats.ts';
import { unexplainedCount } from '../../domain/fleet-stats.ts';
import { INTERNAL_PAUSE_REASONS, statesWithRecordStatus } from '../../domain/rollout/operation.ts';
import { parseTimestamp } from '../../domain/timestamp.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import { HOST_PHASES, HOST_STATUSES, OPERATION_KINDS, UNHEALTHY_STATUSES } from '../../domain/vocabulary.ts';
import { storeGauge } from './metric.ts';
import type { Instruments, Registry } from './registry.ts';
import type { Snapshot } from './snapshot.ts';

/** Cluster names cannot contain parentheses, so there is no conflict. */
const NO_CLUSTER = '(none)';
const OTHER_CLUSTERS = '(others)';

/** About 1,800 series, nine for each cluster. */
export const MAX_CLUSTERS = 200;

/** By the value of the label `cluster`. Clusters are selected by name, so the set of series is stable. */
export function groupByClusterLabel(
  stats: readonly HostStats[],
  maxClusters = MAX_CLUSTERS,
): ReadonlyMap<string, readonly HostStats[]> {
  const names = [...new Set(stats.flatMap(({ cluster }) => cluster ?? []))].sort();
  const exported = new Set<string>(names.slice(0, maxClusters));
  return Map.groupBy(stats, ({ cluster }) => {
    if (cluster === null) return NO_CLUSTER;
    return exported.has(cluster) ? cluster : OTHER_CLUSTERS;
  });
}

const OPEN_STATES = statesWithRecordStatus('in_process');

const CLUSTER_LABEL = {
  description: `the name of a cluster, for the first ${MAX_CLUSTERS} by name; \`${OTHER_CLUSTERS}\` for all others together; \`${NO_CLUSTER}\` for hosts without a cluster`,
};

export const FLEET_METRICS = {
  hosts: storeGauge('hostler_hosts', 'Hosts by cluster and status.', { cluster: CLUSTER_LABEL, status: HOST_STATUSES }),
  inMaintenance: storeGauge('hostler_hosts_in_maintenance', 'Hosts in maintenance.', { cluster: CLUSTER_LABEL }),
  needingAttention: storeGauge(
    'hostler_hosts_needing_attention',
    'Unreachable and failed hosts, except hosts in maintenance and hosts in flight in an operation.',
    { cluster: CLUSTER_LABEL, status: UNHEALTHY_STATUSES },
  ),
  clusters: storeGauge('hostler_clusters', 'Number of clusters.'),
  operations: storeGauge('hostler_operations_open', 'Operations that have not ended.', {
    kind: OPERATION_KINDS,
    state: OPEN_STATES,
  }),
  paused: storeGauge('hostler_operations_paused', 'Paused operations, by reason.', { reason: INTERNAL_PAUSE_REASONS }),
  globallyPaused: storeGauge(
    'hostler_operations_globally_paused',
    'Whether all operations are paused: 1 if so, otherwise 0.',
  ),
  phases: storeGauge(
    'hostler_operation_hosts',
    'Hosts of operations that have not ended, by phase. Queued hosts have the phase `staging`.',
    {
      kind: OPERATION_KINDS,
      phase: HOST_PHASES,
    },
  ),
  longestWait: storeGauge(
    'hostler_operation_longest_wait_seconds',
    'Longest time that an operation has waited for hosts that block it; 0 if no operation waits.',
  ),
  outbox: storeGauge(
    'hostler_outbox_entries',
    'Outbox entries that are not in the event log yet, counted up to 10000.',
  ),
  outboxAge: storeGauge(
    'hostler_outbox_oldest_age_seconds',
    'Age of the oldest outbox entry; 0 if the outbox is empty.',
  ),
  logPosition: storeGauge('hostler_log_position', 'ID of the newest event in the event log.'),
  servers: storeGauge('hostler_servers', 'Servers that connect to hosts and hold a valid lease.'),
};

const sumBy = <Row>(rows: readonly Row[], count: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + count(row), 0);

const hostCount = ({ hosts }: HostStats) => hosts;

type Gauges = Instruments<typeof FLEET_METRICS>;

function setHosts({ hosts, inMaintenance, needingAttention }: Gauges, stats: readonly HostStats[]): void {
  for (const [cluster, rows] of groupByClusterLabel(stats)) {
    const inStatus = (status: HostStatus) => rows.filter(row => row.status === status);
    for (const status of HOST_STATUSES) hosts.set(sumBy(inStatus(status), hostCount), cluster, status);
    for (const status of UNHEALTHY_STATUSES)
      needingAttention.set(sumBy(inStatus(status), unexplainedCount), cluster, status);
    const maintained = rows.filter(row => row.isInMaintenance);
    inMaintenance.set(sumBy(maintained, hostCount), cluster);
  }
}

function setOperations(gauges: Gauges, { operations, phases, isGloballyPaused, nowMs }: Snapshot): void {
  for (const kind of OPERATION_KINDS) {
    for (const state of OPEN_STATES) gauges.operations.set(0, kind, state);
    for (const phase of HOST_PHASES) gauges.phases.set(0, kind, phase);
  }
  for (const pause of INTERNAL_PAUSE_REASONS) gauges.paused.set(0, pause);
  for (const { kind, state, pause, operations: count } of operations) {
    gauges.operations.add(count, kind, state);
    if (pause !== null) gauges.paused.add(count, pause);
  }
  for (const { kind, phase, hosts } of phases) gauges.phases.add(hosts, kind, phase);
  gauges.globallyPaused.set(isGloballyPaused ? 1 : 0);
  const since = operations.flatMap(({ blockedSinceMs }) => blockedSinceMs ?? []);
  gauges.longestWait.set(Math.max(0, ...since.map(ms => nowMs - ms)) / 1000);
}

function setEvents(gauges: Gauges, { events: { pending, oldestAt, position }, nowMs }: Snapshot): void {
  gauges.outbox.set(pending);
  gauges.outboxAge.set(oldestAt === null ? 0 : Math.max(0, nowMs - parseTimestamp(oldestAt)) / 1000);
  gauges.logPosition.set(position);
}

/** Returns a function that sets all gauges, or clears them if it gets `undefined`. */
export function createFleetMetrics(registry: Registry): (fleet: Snapshot | undefined) => void {
  const gauges = registry.create(FLEET_METRICS);
  return fleet => {
    for (const gauge of Object.values(gauges)) gauge.clear();
    if (fleet === undefined) return;
    setHosts(gauges, fleet.hosts);
    setOperations(gauges, fleet);
    setEvents(gauges, fleet);
    gauges.clusters.set(fleet.clusters);
    gauges.servers.set(fleet.servers);
  };
}
