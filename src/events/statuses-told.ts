import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { clusterHealth } from '../domain/cluster.ts';
import type { OutboxEntry } from '../domain/events/domain-event.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import { isRecordName } from '../domain/record-name.ts';
import type { EventType } from '../domain/vocabulary.ts';
import type { Records } from '../store/records.ts';

/** What may change how a cluster is: who its members are, and how they are. */
const MAY_CHANGE: ReadonlySet<EventType> = new Set([
  'cluster.created',
  'cluster.members',
  'cluster.removed',
  'host.created',
  'host.status',
  'host.maintenance_changed',
  'host.removed',
]);

/**
 * What there is to tell of the statuses of clusters after these entries. A status follows from many hosts, each of which changes by
 * itself: so it is looked at here, where everything comes by one after the other.
 */
export async function statusesTold(
  records: Records,
  entries: readonly OutboxEntry[],
): Promise<readonly OutboxEntry[]> {
  const touched = new Map<string, OutboxEntry>();
  for (const entry of entries)
    if (entry.cluster !== null && MAY_CHANGE.has(entry.type)) touched.set(entry.cluster, entry);
  const told: OutboxEntry[] = [];
  for (const [name, { at }] of touched) {
    if (!isRecordName(name)) continue;
    const cluster = await records.clusters.getWithCounts(name);
    if (cluster === undefined) {
      await records.clusterStatuses.remove(name);
      continue;
    }
    const from = await records.clusterStatuses.get(name);
    const to = clusterHealth(cluster.members).status;
    if (from === to) continue;
    await records.clusterStatuses.set(name, to);
    told.push(
      toOutboxEntry(
        { type: 'cluster.status', subject: name, cluster: name, data: { from, to } },
        LOCAL_ACTOR,
        at,
      ),
    );
  }
  return told;
}
