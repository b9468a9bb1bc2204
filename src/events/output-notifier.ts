// Sends notifications about new output from the server that saved it to clients on any server. An embedded store
// without listeners sends none. Notifications are not stored, so a lost one is not repeated.

import type { Address } from '../domain/addresses/address.ts';
import { sortAddresses } from '../domain/addresses/address.ts';
import type { OutputNotification, OutputRef, Signal } from '../domain/events/signal.ts';
import { formatOutputSignal, MAX_HOSTS_PER_NOTIFICATION, parseOutputSignal } from '../domain/events/signal.ts';
import type { RecordName } from '../domain/record-name.ts';
import { forEachYielding } from '../lib/concurrency.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import { ThrottledJob } from '../lib/time/throttled-job.ts';
import type { Store } from '../store/store.ts';

/** During a rollout many hosts write output every second. */
const BATCH_WINDOW_MS = 500;

/** Merges output of many hosts into one notification per operation, or several if it has many hosts. */
export class OutputBatcher {
  readonly #clock: TimerClock;
  readonly #onBatch: (notifications: readonly OutputNotification[]) => void;
  readonly #pending = new Map<string, { readonly cluster: RecordName; readonly hosts: Set<Address> }>();
  #cancel: (() => void) | undefined;

  constructor(clock: TimerClock, onBatch: (notifications: readonly OutputNotification[]) => void) {
    this.#clock = clock;
    this.#onBatch = onBatch;
  }

  add({ operation, cluster, host }: OutputRef): void {
    const pending = this.#pending.get(operation);
    if (pending) pending.hosts.add(host);
    else this.#pending.set(operation, { cluster, hosts: new Set([host]) });
    this.#cancel ??= this.#clock.setTimer(BATCH_WINDOW_MS, () => this.#flush());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#pending.clear();
  }

  #flush(): void {
    this.#cancel = undefined;
    const notifications: OutputNotification[] = [];
    for (const [operation, { cluster, hosts }] of this.#pending) {
      const sorted = sortAddresses(hosts);
      for (let start = 0; start < sorted.length; start += MAX_HOSTS_PER_NOTIFICATION)
        notifications.push({
          operation,
          cluster,
          hosts: sorted.slice(start, start + MAX_HOSTS_PER_NOTIFICATION),
        });
    }
    this.#pending.clear();
    this.#onBatch(notifications);
  }
}

export interface OutputNotifierPorts {
  readonly store: Pick<Store, 'listen' | 'notify' | 'isShared'>;
  readonly clock: TimerClock;
}

/** All listeners get the same array, so its encoding can be cached. */
export type OutputListener = (notifications: readonly OutputNotification[]) => void;

/** A write has a high fixed cost, so notifications within this time share one. */
const MIN_INTERVAL_MS = 100;

export class OutputNotifier {
  readonly #listeners = new Set<OutputListener>();
  readonly #isShared: boolean;
  readonly #batcher: OutputBatcher;
  readonly #job: ThrottledJob;
  readonly #stopListening: () => void;
  #received: OutputNotification[] = [];
  #isStopped = false;

  constructor({ store, clock }: OutputNotifierPorts) {
    this.#isShared = store.isShared;
    this.#batcher = new OutputBatcher(clock, notifications => store.notify(notifications.map(formatOutputSignal)));
    this.#job = new ThrottledJob({ clock, minIntervalMs: MIN_INTERVAL_MS, run: () => this.#broadcast() });
    this.#stopListening = store.listen(signal => this.#onSignal(signal));
  }

  /** Must be called only after the transaction was committed. */
  outputSaved(output: OutputRef): void {
    // Clients of other servers may follow the output.
    if ((this.#isShared || this.#listeners.size > 0) && !this.#isStopped) this.#batcher.add(output);
  }

  subscribe(listener: OutputListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    this.#batcher.stop();
    void this.#job.stop();
  }

  #onSignal(signal: Signal): void {
    const notification = this.#listeners.size > 0 ? parseOutputSignal(signal) : undefined;
    if (notification === undefined) return;
    this.#received.push(notification);
    this.#job.scheduleIn(0);
  }

  async #broadcast(): Promise<undefined> {
    const notifications = this.#received;
    this.#received = [];
    await forEachYielding(this.#listeners, listener => listener(notifications));
  }
}
