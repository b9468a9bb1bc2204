// Hints that steps have said more: from the server that has saved it to all who read hints, on whichever server. What must hold: where
// nobody reads them, nothing is gathered and nothing is sent. They are kept nowhere, so one that is lost is not told again.

import type { OutputNotification, OutputRef, Signal } from '../domain/events/signal.ts';
import { formatOutputSignal, parseOutputSignal } from '../domain/events/signal.ts';
import type { AlarmClock } from '../lib/time/clock.ts';
import { Pacer } from '../lib/time/pacer.ts';
import type { Store } from '../store/store.ts';
import { giveToAll } from './give-to-all.ts';
import { HintGatherer } from './hint-gatherer.ts';
import { HintWishes } from './hint-wishes.ts';

export interface OutputHintPorts {
  readonly store: Pick<Store, 'listen' | 'announce' | 'isShared'>;
  readonly clock: AlarmClock;
}

/** The list is the same object for all. */
export type HintFollower = (hints: readonly OutputNotification[]) => void;

/** A write costs much the same however much is in it: what comes from several servers and operations within so long shares one. */
const PACE_MS = 100;

export class OutputHints {
  readonly #followers = new Set<HintFollower>();
  readonly #wishes: HintWishes;
  readonly #gatherer: HintGatherer;
  readonly #pacer: Pacer;
  readonly #stopListening: () => void;
  #arrived: OutputNotification[] = [];
  #isStopped = false;

  constructor({ store, clock }: OutputHintPorts) {
    const ask = () => store.announce(['output_subscribed']);
    this.#wishes = new HintWishes(clock, store.isShared ? ask : undefined);
    this.#gatherer = new HintGatherer(clock, hints => store.announce(hints.map(formatOutputSignal)));
    this.#pacer = new Pacer(clock, PACE_MS, () => this.#giveOut());
    this.#stopListening = store.listen(signal => this.#hear(signal));
  }

  /** Called once it is committed, and never before. */
  saved(output: OutputRef): void {
    if (this.#wishes.isWanted && !this.#isStopped) this.#gatherer.add(output);
  }

  /** Gives the hints of all servers from now on. Answers what ends that. */
  follow(follower: HintFollower): () => void {
    this.#followers.add(follower);
    this.#wishes.setHere(this.#followers.size);
    return () => {
      this.#followers.delete(follower);
      this.#wishes.setHere(this.#followers.size);
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    this.#wishes.stop();
    this.#gatherer.stop();
    void this.#pacer.stop();
  }

  #hear(signal: Signal): void {
    if (signal === 'output_subscribed') this.#wishes.hear();
    else if (this.#followers.size > 0 && signal.startsWith('output '))
      this.#arrive(parseOutputSignal(signal));
  }

  #arrive(hint: OutputNotification | undefined): void {
    if (hint === undefined) return;
    this.#arrived.push(hint);
    this.#pacer.doIn(0);
  }

  async #giveOut(): Promise<void> {
    const hints = this.#arrived;
    this.#arrived = [];
    await giveToAll(this.#followers, follower => follower(hints));
  }
}
