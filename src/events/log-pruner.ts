// Removes entries older than the retention time from the start of the log, in batches, on one server at a time.
//
// - After each batch the chain can still be verified: a signed prune point replaces the removed entries.
// - A batch is verified before it is removed. Otherwise an attacker with access to the database could set old
//   dates to get entries removed, and the result signed.
// - Each removal is recorded in the same transaction.

import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { LogEntry, LogState } from '../domain/events/event-log.ts';
import { pruneIntervalMs } from '../domain/retention.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { ChainViolation } from './hash-chain.ts';
import { describeViolation, isViolation, prunePointMac, startVerification, verifyEntries } from './hash-chain.ts';
import type { EventLogPorts, EventMetrics } from './ports.ts';

const BATCH_SIZE = 2000;
/** Leaves time for other transactions between batches. */
const MIN_INTERVAL_MS = 50;
const RETRY_DELAY_MS = 60_000;

interface PruneBatch {
  readonly firstId: number;
  readonly hash: string;
  readonly entries: number;
}

/** The oldest entries fail verification. Nothing is removed from such a log. */
class TamperedLogError extends Error {
  readonly violation: ChainViolation;

  constructor(violation: ChainViolation) {
    super(describeViolation(violation));
    this.violation = violation;
  }
}

/** Finds the entries to remove. Stops at the first recent entry, so the log has no gap. */
function findPruneBatch(
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
  /** The last violation that this server recorded. Each is recorded once. */
  #recorded: string | undefined;

  private constructor(ports: PrunerPorts, retentionMs: number) {
    this.#ports = ports;
    this.#retentionMs = retentionMs;
    this.#job = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: MIN_INTERVAL_MS,
      run: () => this.#prune(),
      onError: err => ports.log.error({ err }, 'cannot prune the event log; retrying'),
      retryMs: RETRY_DELAY_MS,
    });
  }

  /** Starts immediately and repeats every few hours, or more often if the retention time is short. */
  static start(ports: PrunerPorts, retentionMs: number): LogPruner {
    const pruner = new LogPruner(ports, retentionMs);
    pruner.#job.scheduleIn(0);
    return pruner;
  }

  stop(): Promise<void> {
    return this.#job.stop();
  }

  async #prune(): Promise<number> {
    const { store, metrics } = this.#ports;
    try {
      const entries = await store.transaction(records => this.#pruneBatch(records));
      // Without old entries nothing was verified.
      if (entries !== undefined && entries > 0) metrics.logVerified(true);
      return entries === 0 ? pruneIntervalMs(this.#retentionMs) : MIN_INTERVAL_MS;
    } catch (error) {
      if (!(error instanceof TamperedLogError)) throw error;
      await this.#reportTampering(error);
      return pruneIntervalMs(this.#retentionMs);
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
        await records.outbox.add([toOutboxEntry({ type: 'log.tampered', subject: 'log', data }, LOCAL_ACTOR, at)]);
      });
      this.#recorded = message;
    } catch (error) {
      log.error({ err: error }, 'cannot record the tampering of the event log; retrying');
    }
  }

  /** Returns the number of removed entries, or `undefined` if another server has the log. */
  async #pruneBatch(records: Repositories): Promise<number | undefined> {
    const { key } = this.#ports;
    const state = await records.eventLog.acquire();
    if (state === undefined) return undefined;
    // The clock of the store: a server whose own clock is ahead must not prune too early.
    const nowMs = await records.nowMs();
    const at = formatTimestamp(nowMs);
    const cutoff = formatTimestamp(nowMs - this.#retentionMs);
    const oldest = await records.eventLog.readAfter(state.firstId - 1, BATCH_SIZE + 1);
    const batch = findPruneBatch(oldest, cutoff, state, BATCH_SIZE);
    if (batch === undefined) return 0;
    const { firstId, hash, entries } = batch;
    const start = startVerification(key, state);
    const result = isViolation(start) ? start : verifyEntries(key, start, oldest.slice(0, entries));
    if (isViolation(result)) throw new TamperedLogError(result);
    const prunePoint = { firstId, hash, at, mac: prunePointMac(key, { firstId, hash, at }) };
    await records.eventLog.prune({
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
