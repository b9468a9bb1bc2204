// The end of the log, as this server knows it: it is read once for all readers here, however many there are. What must hold: followers
// get every entry after the one they began at, once and in order.

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
/** A signal may have been lost. */
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
    this.#job = new ThrottledJob(ports.clock, MIN_INTERVAL_MS, () => this.#poll());
    this.#stopListening = ports.store.listen(signal => {
      if (signal === 'log') this.#job.scheduleIn(0);
    });
  }

  /** Begins at the end of the log. */
  static async start(ports: LogTailPorts): Promise<LogTail> {
    const tail = new LogTail(ports, (await ports.store.reads.eventLog.getState()).lastId);
    tail.#job.scheduleIn(POLL_INTERVAL_MS);
    return tail;
  }

  /** The number of the newest entry that is known here. What is read from the store after asking is not older. */
  get position(): number {
    return this.#position;
  }

  /** Gives each entry after the present position. Answers what ends that. */
  subscribe(subscriber: LogSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#job.stop();
  }

  async #poll(): Promise<void> {
    try {
      while (await this.#readPage());
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#ports.log.warn({ err: error }, 'cannot read the event log; retrying');
      this.#isFailing = true;
    }
    this.#job.scheduleIn(POLL_INTERVAL_MS);
  }

  /** Whether there may be more. */
  async #readPage(): Promise<boolean> {
    const entries = await this.#ports.store.reads.eventLog.after(this.#position, PAGE_SIZE);
    const last = entries.at(-1);
    if (last === undefined) return false;
    this.#position = last.id;
    for (const subscriber of this.#subscribers) subscriber(entries);
    return entries.length === PAGE_SIZE;
  }
}

/** A follower of the log that tells which accounts have changed, on whichever server. */
export const onAccountChanges =
  (callback: (name: RecordName) => void): LogSubscriber =>
  entries => {
    for (const { type, subject } of entries)
      if (invalidatesLogins(type) && isRecordName(subject)) callback(subject);
  };

/** A follower of the log that tells when sessions were ended, on whichever server. */
export const onSessionEnds =
  (callback: () => void): LogSubscriber =>
  entries => {
    if (entries.some(entry => endedSessionIds(entry).length > 0)) callback();
  };
