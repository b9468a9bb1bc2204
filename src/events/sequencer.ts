// Moves entries from the outbox to the log. If transactions numbered their own entries, an entry that commits
// late would be missed by readers that are already past its number. So transactions only write to the outbox,
// and one server at a time numbers the committed entries.
//
// - Ids have no gaps.
// - Entries about one record keep their order.
// - Each entry is in the log exactly once.
// - The hash chain continues.

import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { clusterHealth } from '../domain/cluster.ts';
import type { OutboxEntry } from '../domain/events/domain-event.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import { isRecordName } from '../domain/record-name.ts';
import type { EventType } from '../domain/vocabulary.ts';
import { sleep } from '../lib/time/clock.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import type { Repositories } from '../store/repositories/index.ts';
import { appendToChain } from './hash-chain.ts';
import type { EventLogPorts } from './ports.ts';

const STATUS_AFFECTING_TYPES: ReadonlySet<EventType> = new Set([
  'cluster.created',
  'cluster.members',
  'cluster.removed',
  'host.created',
  'host.status',
  'host.maintenance_changed',
  'host.removed',
]);

/**
 * Returns the changes of cluster status that follow from these entries. The status depends on many hosts that
 * change independently, so it is computed here, where all events pass in order.
 */
async function clusterStatusEvents(
  records: Repositories,
  entries: readonly OutboxEntry[],
): Promise<readonly OutboxEntry[]> {
  const affected = new Map<string, OutboxEntry>();
  for (const entry of entries)
    if (entry.cluster !== null && STATUS_AFFECTING_TYPES.has(entry.type)) affected.set(entry.cluster, entry);
  const events: OutboxEntry[] = [];
  for (const [name, { at }] of affected) {
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
    events.push(
      toOutboxEntry({ type: 'cluster.status', subject: name, cluster: name, data: { from, to } }, LOCAL_ACTOR, at),
    );
  }
  return events;
}

const BATCH_SIZE = 500;
/** Entries that arrive within this time are moved together. */
const MIN_INTERVAL_MS = 20;
/** Finds entries that another server left in the outbox. */
const POLL_INTERVAL_MS = 1000;
/** Bounds `flush` while other servers keep writing. */
const MAX_FLUSH_ATTEMPTS = 50;

export class Sequencer {
  readonly #ports: EventLogPorts;
  readonly #job: ThrottledJob;
  readonly #stopListening: () => void;

  private constructor(ports: EventLogPorts) {
    this.#ports = ports;
    this.#job = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: MIN_INTERVAL_MS,
      run: async () => ((await this.#drain()) ? POLL_INTERVAL_MS : MIN_INTERVAL_MS),
      onError: err => ports.log.error({ err }, 'cannot move outbox entries to the event log; retrying'),
      retryMs: POLL_INTERVAL_MS,
    });
    this.#stopListening = ports.store.listen(signal => {
      if (signal === 'outbox') this.#job.scheduleIn(0);
    });
  }

  static start(ports: EventLogPorts): Sequencer {
    const sequencer = new Sequencer(ports);
    sequencer.#job.scheduleIn(0);
    return sequencer;
  }

  /** Resolves when all entries that are committed now are in the log, or after `MAX_FLUSH_ATTEMPTS`. */
  async flush(): Promise<void> {
    const { store, clock } = this.#ports;
    for (let attempts = 0; attempts < MAX_FLUSH_ATTEMPTS && !(await store.reads.outbox.isEmpty()); attempts += 1)
      if (!(await this.#moveBatch())) await sleep(clock, MIN_INTERVAL_MS);
  }

  /** Moves the remaining entries, so that they do not wait for another server. */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#job.stop();
    await this.#drain().catch(() => {});
  }

  /** Returns `false` if another server holds the log: that server may not see all entries. */
  async #drain(): Promise<boolean> {
    while (!(await this.#ports.store.reads.outbox.isEmpty())) if (!(await this.#moveBatch())) return false;
    return true;
  }

  #moveBatch(): Promise<boolean> {
    const { store, key } = this.#ports;
    return store.transaction(async records => {
      const state = await records.eventLog.acquire();
      if (state === undefined) return false;
      const pending = await records.outbox.listPending(BATCH_SIZE);
      if (pending.length === 0) return true;
      const next = appendToChain(key, state, [...pending, ...(await clusterStatusEvents(records, pending))]);
      await records.eventLog.append(next.added, next.state);
      await records.outbox.remove(pending.map(({ outboxId }) => outboxId));
      return true;
    });
  }
}
