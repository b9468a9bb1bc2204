// What is too old is cut off the front of the log, some at a time, by one server at a time. What must hold: after each part the chain can
// be verified, since what is cut off is replaced by a signed word of where, and of the hash that the rest goes on from; and each part is
// told together with its going, so that however a server ends, nothing went that was not told.

import { LOCAL_ACTOR } from '../domain/accounts/actor.ts';
import type { LogEntry, LogState } from '../domain/events/event-log.ts';
import { toOutboxEntry } from '../domain/events/outbox.ts';
import { sweepEveryMs } from '../domain/retention.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { Pacer } from '../lib/time/pacer.ts';
import type { Records } from '../store/records.ts';
import { macOfCut } from './chain.ts';
import type { ChainPorts } from './chain-ports.ts';

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

export class LogCutter {
  readonly #ports: ChainPorts;
  readonly #keepMs: number;
  readonly #pacer: Pacer;

  private constructor(ports: ChainPorts, keepMs: number) {
    this.#ports = ports;
    this.#keepMs = keepMs;
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#cut());
  }

  /** Begins at once, and looks again every few hours, sooner where less than days are kept. */
  static start(ports: ChainPorts, keepMs: number): LogCutter {
    const cutter = new LogCutter(ports, keepMs);
    cutter.#pacer.doIn(0);
    return cutter;
  }

  stop(): Promise<void> {
    return this.#pacer.stop();
  }

  async #cut(): Promise<void> {
    const { store, log } = this.#ports;
    try {
      const entries = await store.transaction(records => this.#cutSome(records));
      this.#pacer.doIn(entries === 0 ? sweepEveryMs(this.#keepMs) : PACE_MS);
    } catch (error) {
      log.error({ err: error }, 'what is too old could not be cut off the log; it is tried again');
      this.#pacer.doIn(AFTER_FAILURE_MS);
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
    const cut = { firstId, hash, at, mac: macOfCut(key, { firstId, hash, at }) };
    await records.log.cut({ ...state, firstId, cut, eventsFrom: Math.max(state.eventsFrom, firstId) });
    const data = { first_id: firstId, entries };
    await records.outbox.add([toOutboxEntry({ type: 'log.cut', subject: 'log', data }, LOCAL_ACTOR, at)]);
    return entries;
  }
}
