// Where progress comes from: the operation is read, its events are followed, and what they do not tell is read again now and then. What
// must hold: a server that is away, or another that takes its place, ends nothing; after a gap all is read anew.

import type { CallInput } from '../../client/client.ts';
import { clockAheadMs } from '../../client/clock-ahead.ts';
import { isPassing } from '../../client/is-passing.ts';
import type { Progress, Read } from '../../client/operation-progress.ts';
import {
  firstProgress,
  isOver,
  tallyOf,
  withAll,
  withEvents,
  withSilence,
  withWhole,
} from '../../client/operation-progress.ts';
import { positionOf } from '../../client/position-of.ts';
import type { Routes } from '../../contract/index.ts';
import { sleep } from '../../lib/time/sleep.ts';
import type { Session } from '../session.ts';

const READ_EVERY_MS = 2000;
/** What hosts wait for is told by no event. All of them are read only where that is no burden. */
const READ_ALL_EVERY = 10;
const MOST_HOSTS_READ_OFTEN = 500;
/** A server that is frozen, or cut off, is not waited for; the next one is asked. */
const PATIENCE_MS = 5000;

const isSmall = ({ hosts }: Progress) => hosts.size <= MOST_HOSTS_READ_OFTEN;

/** More hosts have ended than events have told: their stream may hang on a server that says nothing. */
function isBehind(progress: Progress, { report: { counts } }: Read): boolean {
  const { done, failed, skipped } = tallyOf(progress);
  return isSmall(progress) && counts.done + counts.failed + counts.skipped > done + failed + skipped;
}

export class OperationSource {
  readonly #session: Pick<Session, 'client' | 'follow' | 'terminal'>;
  readonly #id: string;
  readonly #signal: AbortSignal;
  readonly #show: (progress: Progress) => void;
  #wake = new AbortController();

  constructor(session: Session, id: string, signal: AbortSignal, show: (progress: Progress) => void) {
    [this.#session, this.#id, this.#signal, this.#show] = [session, id, signal, show];
  }

  /** Shows each progress, from the first to the last; ends when the operation does, or when the signal calls it off. */
  async run(): Promise<Progress> {
    let progress = firstProgress(await this.#read());
    const update = (next: Progress) => {
      if (next === progress || this.#signal.aborted) return;
      progress = next;
      this.#show(progress);
    };
    this.#show(progress);
    const over = new AbortController();
    const signal = AbortSignal.any([this.#signal, over.signal]);
    const events = this.#followEvents(() => progress, update, signal);
    try {
      await Promise.race([this.#readOn(() => progress, update), events.then(() => new Promise(() => {}))]);
    } finally {
      over.abort();
      await events.catch(() => {});
    }
    return progress;
  }

  async #followEvents(now: () => Progress, update: (next: Progress) => void, signal: AbortSignal) {
    const query = { operation: this.#id, after: now().position };
    for await (const event of this.#session.follow({ query, signal })) {
      update(withEvents(now(), [event]));
      if (event.type !== 'operation.host') this.#wake.abort();
    }
  }

  async #readOn(now: () => Progress, update: (next: Progress) => void): Promise<void> {
    const { clock } = this.#session.terminal;
    for (let count = 1; !isOver(now()) && !this.#signal.aborted; count += 1) {
      await sleep(clock, READ_EVERY_MS, AbortSignal.any([this.#signal, this.#wake.signal]));
      this.#wake = new AbortController();
      try {
        const isDue = count % READ_ALL_EVERY === 0 && isSmall(now());
        update(await this.#readNext(now, isDue));
      } catch (error) {
        if (this.#signal.aborted) return;
        if (!isPassing(error)) throw error;
        update(withSilence(now(), now().silentSinceMs ?? clock.now() + now().aheadMs));
      }
    }
  }

  async #readNext(now: () => Progress, isAllDue: boolean): Promise<Progress> {
    if (isAllDue || now().silentSinceMs !== undefined) return this.#readAll(now);
    const read = await this.#read({ limit: 1 });
    // The last picture has every host as it ended, also those whose events have not come yet.
    if (read.report.status !== 'in_process' || isBehind(now(), read)) return this.#readAll(now);
    return withWhole(now(), read);
  }

  async #readAll(now: () => Progress): Promise<Progress> {
    const read = await this.#read();
    return withSilence(withAll(now(), read), undefined);
  }

  async #read(query: CallInput<Routes['getOperation']>['query'] = {}): Promise<Read> {
    const { body, headers } = await this.#session.client.getOperation({
      ...{ id: this.#id, query, signal: this.#signal, patienceMs: PATIENCE_MS },
    });
    return {
      report: body,
      position: positionOf(headers),
      aheadMs: clockAheadMs(headers.get('date'), this.#session.terminal.clock.now()),
    };
  }
}
