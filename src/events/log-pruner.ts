// Removes entries that are too old from the beginning of the log, some at a time, on one server at a time. Invariants: after each part the chain can
// be verified, because the removed entries are replaced by a signed record of where the log begins and of the hash before it. A part is removed
// only after it was verified: otherwise an attacker with access to the database could set old dates and have the entries removed and signed. Each
// removal is recorded in the same transaction.

import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { LogEntry, LogState } from '../domain/events/event-log.ts';
import { pruneIntervalMs } from '../domain/retention.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { ChainViolation } from './hash-chain.ts';
import {
  describeViolation,
  isViolation,
  prunePointMac,
  startVerification,
  verifyEntries,
} from './hash-chain.ts';
import type { EventLogPorts, EventMetrics } from './ports.ts';

/** In one transaction. */
const BATCH_SIZE = 2000;
/** Others come in between. */
const MIN_INTERVAL_MS = 50;
const RETRY_DELAY_MS = 60_000;

interface PruneBatch {
  readonly firstId: number;
  /** Of the last that goes. */
  readonly hash: string;
  readonly entries: number;
}

/** The oldest entries are not what was written. Nothing is removed from such a log. */
class TamperedLogError extends Error {
  readonly violation: ChainViolation;

  constructor(violation: ChainViolation) {
    super(describeViolation(violation));
    this.violation = violation;
  }
}

/** Where to cut, given the oldest entries, one more than may go at once: only before what is young enough, so that no gap is left. */
export function findPruneBatch(
  oldest: readonly LogEntry[],
  cutoff: string,
  { lastId }: Pick<LogState, 'lastId'>,
  limit: number,
): PruneBatch | undefined {
  const firstRecent = oldest.findIndex(({ at }) => at >= cutoff);
  const entries = Math.min(firstRecent === -1 ? oldest.length : firstRecent, limit);
  const last = oldest[entries - 1];
  return last && { firstId: oldest[entries]?.id ?? lastId + 1, hash: last.hash, entries };
}

interface PrunerPorts extends EventLogPorts {
  readonly metrics: Pick<EventMetrics, 'logVerified'>;
}

export class LogPruner {
  readonly #ports: PrunerPorts;
  readonly #retentionMs: number;
  readonly #job: ThrottledJob;
  /** The break that was recorded last by this server, so that each is recorded once. */
  #recorded: string | undefined;

  private constructor(ports: PrunerPorts, retentionMs: number) {
    this.#ports = ports;
    this.#retentionMs = retentionMs;
    this.#job = new ThrottledJob(ports.clock, MIN_INTERVAL_MS, () => this.#prune());
  }

  /** Begins at once, and looks again every few hours, sooner where less than days are kept. */
  static start(ports: PrunerPorts, retentionMs: number): LogPruner {
    const pruner = new LogPruner(ports, retentionMs);
    pruner.#job.scheduleIn(0);
    return pruner;
  }

  stop(): Promise<void> {
    return this.#job.stop();
  }

  async #prune(): Promise<void> {
    const { store, log, metrics } = this.#ports;
    try {
      const entries = await store.transaction(records => this.#pruneBatch(records));
      // Where nothing is old, nothing was verified.
      if (entries !== undefined && entries > 0) metrics.logVerified(true);
      this.#job.scheduleIn(entries === 0 ? pruneIntervalMs(this.#retentionMs) : MIN_INTERVAL_MS);
    } catch (error) {
      if (error instanceof TamperedLogError) {
        await this.#reportTampering(error);
        this.#job.scheduleIn(pruneIntervalMs(this.#retentionMs));
        return;
      }
      log.error({ err: error }, 'cannot prune the event log; retrying');
      this.#job.scheduleIn(RETRY_DELAY_MS);
    }
  }

  async #reportTampering({ message, violation }: TamperedLogError): Promise<void> {
    const { store, log, metrics } = this.#ports;
    metrics.logVerified(false);
    log.error({ problem: message }, 'the event log was tampered with; its old entries are not pruned');
    if (this.#recorded === message) return;
    try {
      await store.transaction(async records => {
        const data = { entry: violation.id, problem: message };
        const at = formatTimestamp(await records.nowMs());
        await records.outbox.add([
          toOutboxEntry({ type: 'log.tampered', subject: 'log', data }, LOCAL_ACTOR, at),
        ]);
      });
      this.#recorded = message;
    } catch (error) {
      log.error({ err: error }, 'cannot record the tampering of the event log; retrying');
    }
  }

  /** How many went; `undefined`: another server has the log. */
  async #pruneBatch(records: Repositories): Promise<number | undefined> {
    const { key } = this.#ports;
    const state = await records.eventLog.acquire();
    if (state === undefined) return undefined;
    // By the clock that all servers share: one with a clock of its own that is ahead must not cut for all.
    const nowMs = await records.nowMs();
    const at = formatTimestamp(nowMs);
    const cutoff = formatTimestamp(nowMs - this.#retentionMs);
    const oldest = await records.eventLog.after(state.firstId - 1, BATCH_SIZE + 1);
    const batch = findPruneBatch(oldest, cutoff, state, BATCH_SIZE);
    if (batch === undefined) return 0;
    const { firstId, hash, entries } = batch;
    const start = startVerification(key, state);
    const result = isViolation(start) ? start : verifyEntries(key, start, oldest.slice(0, entries));
    if (isViolation(result)) throw new TamperedLogError(result);
    const prunePoint = { firstId, hash, at, mac: prunePointMac(key, { firstId, hash, at }) };
    await records.eventLog.cut({
      ...state,
      firstId,
      prunePoint,
      firstReadableId: Math.max(state.firstReadableId, firstId),
    });
    const data = { first_id: firstId, entries };
    await records.outbox.add([toOutboxEntry({ type: 'log.pruned', subject: 'log', data }, LOCAL_ACTOR, at)]);
    return entries;
  }
}
