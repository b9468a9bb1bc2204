// Removes entries that are too old from the beginning of the log, some at a time, on one server at a time. Invariants: after each part the chain can
// be verified, because the removed entries are replaced by a signed record of where the log begins and of the hash before it. A part is removed
// only after it was verified: otherwise an attacker with access to the database could set old dates and have the entries removed and signed. Each
// removal is recorded in the same transaction.

import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { LogEntry, LogState } from '../domain/events/event-log.ts';
import { pruneIntervalMs } from '../domain/retention.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { Pacer } from '../lib/time/pacer.ts';
import type { Records } from '../store/records.ts';
import { macOfCut } from './chain.ts';
import type { ChainPorts } from './chain-ports.ts';
import type { EventMeter } from './meter.ts';
import type { ChainBreak } from './walk-chain.ts';
import { beginWalk, breakInWords, isBreak, walkOn } from './walk-chain.ts';

/** In one transaction. */
const ENTRIES_AT_ONCE = 2000;
/** Others come in between. */
const PACE_MS = 50;
const AFTER_FAILURE_MS = 60_000;

interface CutPoint {
  readonly firstId: number;
  /** Of the last that goes. */
  readonly hash: string;
  readonly entries: number;
}

/** The oldest entries are not what was written. Nothing is removed from such a log. */
class TamperedLog extends Error {
  readonly found: ChainBreak;

  constructor(found: ChainBreak) {
    super(breakInWords(found));
    this.found = found;
  }
}

/** Where to cut, given the oldest entries, one more than may go at once: only before what is young enough, so that no gap is left. */
export function cutPointOf(
  oldest: readonly LogEntry[],
  before: string,
  { lastId }: Pick<LogState, 'lastId'>,
  atOnce: number,
): CutPoint | undefined {
  const young = oldest.findIndex(({ at }) => at >= before);
  const entries = Math.min(young === -1 ? oldest.length : young, atOnce);
  const last = oldest[entries - 1];
  return last && { firstId: oldest[entries]?.id ?? lastId + 1, hash: last.hash, entries };
}

interface CutterPorts extends ChainPorts {
  readonly meter: Pick<EventMeter, 'logVerified'>;
}

export class LogCutter {
  readonly #ports: CutterPorts;
  readonly #keepMs: number;
  readonly #pacer: Pacer;
  /** The break that was recorded last by this server, so that each is recorded once. */
  #recorded: string | undefined;

  private constructor(ports: CutterPorts, keepMs: number) {
    this.#ports = ports;
    this.#keepMs = keepMs;
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#cut());
  }

  /** Begins at once, and looks again every few hours, sooner where less than days are kept. */
  static start(ports: CutterPorts, keepMs: number): LogCutter {
    const cutter = new LogCutter(ports, keepMs);
    cutter.#pacer.doIn(0);
    return cutter;
  }

  stop(): Promise<void> {
    return this.#pacer.stop();
  }

  async #cut(): Promise<void> {
    const { store, log, meter } = this.#ports;
    try {
      const entries = await store.transaction(records => this.#cutSome(records));
      // Where nothing is old, nothing was verified.
      if (entries !== undefined && entries > 0) meter.logVerified(true);
      this.#pacer.doIn(entries === 0 ? pruneIntervalMs(this.#keepMs) : PACE_MS);
    } catch (error) {
      if (error instanceof TamperedLog) {
        await this.#raiseAlarm(error);
        this.#pacer.doIn(pruneIntervalMs(this.#keepMs));
        return;
      }
      log.error({ err: error }, 'cannot prune the event log; retrying');
      this.#pacer.doIn(AFTER_FAILURE_MS);
    }
  }

  async #raiseAlarm({ message, found }: TamperedLog): Promise<void> {
    const { store, log, meter } = this.#ports;
    meter.logVerified(false);
    log.error({ problem: message }, 'the event log was tampered with; its old entries are not pruned');
    if (this.#recorded === message) return;
    try {
      await store.transaction(async records => {
        const data = { entry: found.id, problem: message };
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
  async #cutSome(records: Records): Promise<number | undefined> {
    const { key } = this.#ports;
    const state = await records.log.take();
    if (state === undefined) return undefined;
    // By the clock that all servers share: one with a clock of its own that is ahead must not cut for all.
    const nowMs = await records.nowMs();
    const at = formatTimestamp(nowMs);
    const before = formatTimestamp(nowMs - this.#keepMs);
    const oldest = await records.log.after(state.firstId - 1, ENTRIES_AT_ONCE + 1);
    const point = cutPointOf(oldest, before, state, ENTRIES_AT_ONCE);
    if (point === undefined) return 0;
    const { firstId, hash, entries } = point;
    const begun = beginWalk(key, state);
    const walked = isBreak(begun) ? begun : walkOn(key, begun, oldest.slice(0, entries));
    if (isBreak(walked)) throw new TamperedLog(walked);
    const prunePoint = { firstId, hash, at, mac: macOfCut(key, { firstId, hash, at }) };
    await records.log.cut({
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
