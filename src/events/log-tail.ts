// Reads the end of the log once for all subscribers of this server. Subscribers get every entry after their
// start, once and in order.

import type { LogEntry } from '../domain/events/event-log.ts';
import { endedSessionIds, invalidatesLogins } from '../domain/events/event-log.ts';
import type { RecordName } from '../domain/record-name.ts';
import { isRecordName } from '../domain/record-name.ts';
import type { Log } from '../lib/log.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import type { Store } from '../store/store.ts';

export interface LogTailPorts {
  readonly store: Store;
  readonly clock: TimerClock;
  readonly log: Pick<Log, 'warn'>;
}

export type LogSubscriber = (entries: readonly LogEntry[]) => void;

const PAGE_SIZE = 500;
const MIN_INTERVAL_MS = 20;
/** Finds entries whose signal was lost. */
const POLL_INTERVAL_MS = 1000;

export class LogTail {
  readonly #ports: LogTailPorts;
  readonly #job: ThrottledJob;
  readonly #subscribers = new Set<LogSubscriber>();
  readonly #stopListening: () => void;
  #position: number;
  #isFailing = false;

  private constructor(ports: LogTailPorts, position: number) {
    this.#ports = ports;
    this.#position = position;
    this.#job = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: MIN_INTERVAL_MS,
      run: () => this.#poll(),
      onError: error => this.#logError(error),
      retryMs: POLL_INTERVAL_MS,
    });
    this.#stopListening = ports.store.listen(signal => {
      if (signal === 'log') this.#job.scheduleIn(0);
    });
  }

  /** Starts at the end of the log. */
  static async start(ports: LogTailPorts): Promise<LogTail> {
    const tail = new LogTail(ports, (await ports.store.reads.eventLog.getState()).lastId);
    tail.#job.scheduleIn(POLL_INTERVAL_MS);
    return tail;
  }

  /** The newest id that this server has read. Store reads that start after this call are at least as new. */
  get position(): number {
    return this.#position;
  }

  subscribe(subscriber: LogSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#job.stop();
  }

  async #poll(): Promise<number> {
    while (await this.#readPage());
    this.#isFailing = false;
    return POLL_INTERVAL_MS;
  }

  #logError(error: unknown): void {
    if (!this.#isFailing) this.#ports.log.warn({ err: error }, 'cannot read the event log; retrying');
    this.#isFailing = true;
  }

  async #readPage(): Promise<boolean> {
    const entries = await this.#ports.store.reads.eventLog.readAfter(this.#position, PAGE_SIZE);
    const last = entries.at(-1);
    if (last === undefined) return false;
    this.#position = last.id;
    for (const subscriber of this.#subscribers) subscriber(entries);
    return entries.length === PAGE_SIZE;
  }
}

/** Reports changed accounts, made on any server. */
export const onAccountChanges =
  (callback: (name: RecordName) => void): LogSubscriber =>
  entries => {
    for (const { type, subject } of entries) if (invalidatesLogins(type) && isRecordName(subject)) callback(subject);
  };

/** Reports that sessions ended, on any server. */
export const onSessionEnds =
  (callback: () => void): LogSubscriber =>
  entries => {
    if (entries.some(entry => endedSessionIds(entry).length > 0)) callback();
  };
