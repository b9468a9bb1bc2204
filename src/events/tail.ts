// The end of the log, as this server knows it: it is read once for all readers here, however many there are. What must hold: followers
// get every entry after the one they began at, once and in order.

import type { LogEntry } from '../domain/events/event-log.ts';
import type { Log } from '../lib/log.ts';
import type { AlarmClock } from '../lib/time/clock.ts';
import { Pacer } from '../lib/time/pacer.ts';
import type { Store } from '../store/store.ts';

export interface TailPorts {
  readonly store: Store;
  readonly clock: AlarmClock;
  readonly log: Pick<Log, 'warn'>;
}

export type Follower = (entries: readonly LogEntry[]) => void;

const ENTRIES_AT_ONCE = 500;
const PACE_MS = 20;
/** A signal may have been lost. */
const LOOK_EVERY_MS = 1000;

export class Tail {
  readonly #ports: TailPorts;
  readonly #pacer: Pacer;
  readonly #followers = new Set<Follower>();
  readonly #stopListening: () => void;
  #position: number;
  #isAway = false;

  private constructor(ports: TailPorts, position: number) {
    this.#ports = ports;
    this.#position = position;
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#look());
    this.#stopListening = ports.store.listen(signal => {
      if (signal === 'log') this.#pacer.doIn(0);
    });
  }

  /** Begins at the end of the log. */
  static async start(ports: TailPorts): Promise<Tail> {
    const tail = new Tail(ports, (await ports.store.reads.log.state()).lastId);
    tail.#pacer.doIn(LOOK_EVERY_MS);
    return tail;
  }

  /** The number of the newest entry that is known here. What is read from the store after asking is not older. */
  get position(): number {
    return this.#position;
  }

  /** Gives each entry after the present position. Answers what ends that. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#pacer.stop();
  }

  async #look(): Promise<void> {
    try {
      while (await this.#readOn());
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway) this.#ports.log.warn({ err: error }, 'cannot read the event log; retrying');
      this.#isAway = true;
    }
    this.#pacer.doIn(LOOK_EVERY_MS);
  }

  /** Whether there may be more. */
  async #readOn(): Promise<boolean> {
    const entries = await this.#ports.store.reads.log.after(this.#position, ENTRIES_AT_ONCE);
    const last = entries.at(-1);
    if (last === undefined) return false;
    this.#position = last.id;
    for (const follower of this.#followers) follower(entries);
    return entries.length === ENTRIES_AT_ONCE;
  }
}
