// From the outbox to the log. Numbers that transactions would take themselves would be seen out of order: one that commits late would
// be missed by all who have read past it. So each only leaves word in the outbox, and one server at a time, whichever comes first, moves
// what is committed into the log and numbers it. What must hold: numbers have no gaps; entries about one record keep their order; every
// entry is in the log exactly once; the chain goes on from where it was.

import { Pacer } from '../lib/time/pacer.ts';
import { sleep } from '../lib/time/sleep.ts';
import { chained } from './chain.ts';
import type { ChainPorts } from './chain-ports.ts';
import { statusesTold } from './statuses-told.ts';

/** In one transaction. */
const ENTRIES_AT_ONCE = 500;
/** What comes in within so long is moved together. */
const PACE_MS = 20;
/** Another server may have left something behind, or be at it. */
const LOOK_EVERY_MS = 1000;
/** While others write on and on there is no end to it. */
const SETTLE_TRIES = 50;

export class Sequencer {
  readonly #ports: ChainPorts;
  readonly #pacer: Pacer;
  readonly #stopListening: () => void;

  private constructor(ports: ChainPorts) {
    this.#ports = ports;
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#look());
    this.#stopListening = ports.store.listen(signal => {
      if (signal === 'outbox') this.#pacer.doIn(0);
    });
  }

  static start(ports: ChainPorts): Sequencer {
    const sequencer = new Sequencer(ports);
    sequencer.#pacer.doIn(0);
    return sequencer;
  }

  /** Resolves when everything that is committed now is in the log, or cannot be soon. */
  async settle(): Promise<void> {
    const { store, clock } = this.#ports;
    for (let tries = 0; tries < SETTLE_TRIES && !(await store.reads.outbox.isEmpty()); tries += 1)
      if (!(await this.#move())) await sleep(clock, PACE_MS);
  }

  /** Moves what is left, so that nobody has to wait for the next server. */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#pacer.stop();
    await this.#moveAll().catch(() => {});
  }

  async #look(): Promise<void> {
    let againInMs = LOOK_EVERY_MS;
    try {
      if (!(await this.#moveAll())) againInMs = PACE_MS;
    } catch (error) {
      this.#ports.log.error({ err: error }, 'cannot move outbox entries to the event log; retrying');
    }
    this.#pacer.doIn(againInMs);
  }

  /** `false`: another server is at it, and may not have seen all. */
  async #moveAll(): Promise<boolean> {
    while (!(await this.#ports.store.reads.outbox.isEmpty())) if (!(await this.#move())) return false;
    return true;
  }

  #move(): Promise<boolean> {
    const { store, key } = this.#ports;
    return store.transaction(async records => {
      const state = await records.log.take();
      if (state === undefined) return false;
      const waiting = await records.outbox.waiting(ENTRIES_AT_ONCE);
      if (waiting.length === 0) return true;
      const next = chained(key, state, [...waiting, ...(await statusesTold(records, waiting))]);
      await records.log.append(next.added, next.state);
      await records.outbox.remove(waiting.map(({ outboxId }) => outboxId));
      return true;
    });
  }
}
