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

/** What may change how a cluster is: who its members are, and how they are. */
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
 * What there is to tell of the statuses of clusters after these entries. A status follows from many hosts, each of which changes by
 * itself: so it is looked at here, where everything comes by one after the other.
 */
export async function clusterStatusEvents(
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
      toOutboxEntry(
        { type: 'cluster.status', subject: name, cluster: name, data: { from, to } },
        LOCAL_ACTOR,
        at,
      ),
    );
  }
  return events;
}

// From the outbox to the log. Numbers that transactions would take themselves would be seen out of order: one that commits late would
// be missed by all who have read past it. So each only leaves word in the outbox, and one server at a time, whichever comes first, moves
// what is committed into the log and numbers it. What must hold: numbers have no gaps; entries about one record keep their order; every
// entry is in the log exactly once; the chain goes on from where it was.

/** In one transaction. */
const BATCH_SIZE = 500;
/** What comes in within so long is moved together. */
const MIN_INTERVAL_MS = 20;
/** Another server may have left something behind, or be at it. */
const POLL_INTERVAL_MS = 1000;
/** While others write on and on there is no end to it. */
const MAX_FLUSH_ATTEMPTS = 50;

export class Sequencer {
  readonly #ports: EventLogPorts;
  readonly #job: ThrottledJob;
  readonly #stopListening: () => void;

  private constructor(ports: EventLogPorts) {
    this.#ports = ports;
    this.#job = new ThrottledJob(ports.clock, MIN_INTERVAL_MS, () => this.#poll());
    this.#stopListening = ports.store.listen(signal => {
      if (signal === 'outbox') this.#job.scheduleIn(0);
    });
  }

  static start(ports: EventLogPorts): Sequencer {
    const sequencer = new Sequencer(ports);
    sequencer.#job.scheduleIn(0);
    return sequencer;
  }

  /** Resolves when everything that is committed now is in the log, or cannot be soon. */
  async flush(): Promise<void> {
    const { store, clock } = this.#ports;
    for (
      let attempts = 0;
      attempts < MAX_FLUSH_ATTEMPTS && !(await store.reads.outbox.isEmpty());
      attempts += 1
    )
      if (!(await this.#moveBatch())) await sleep(clock, MIN_INTERVAL_MS);
  }

  /** Moves what is left, so that nobody has to wait for the next server. */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#job.stop();
    await this.#drain().catch(() => {});
  }

  async #poll(): Promise<void> {
    let nextInMs = POLL_INTERVAL_MS;
    try {
      if (!(await this.#drain())) nextInMs = MIN_INTERVAL_MS;
    } catch (error) {
      this.#ports.log.error({ err: error }, 'cannot move outbox entries to the event log; retrying');
    }
    this.#job.scheduleIn(nextInMs);
  }

  /** `false`: another server is at it, and may not have seen all. */
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
