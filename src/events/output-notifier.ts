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

/**
 * Merges output of many hosts into one notification per operation, or several if the operation has too many
 * hosts for one.
 */
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

/** Repeated because signals can get lost and other servers can start later. */
const DEMAND_INTERVAL_MS = 5000;
/** Demand of another server expires after three missed signals. */
const DEMAND_TTL_MS = 15_000;

/** Tracks whether any client, here or on another server, reads output notifications. */
export class OutputDemand {
  readonly #clock: TimerClock;
  readonly #broadcast: (() => void) | undefined;
  #localListeners = 0;
  /** `undefined`: no remote demand, so `isNeeded` does not read the clock. */
  #remoteDemandUntilMs: number | undefined;
  #cancel: (() => void) | undefined;

  /** `broadcast` announces local demand to other servers; `undefined` if the store is not shared. */
  constructor(clock: TimerClock, broadcast: (() => void) | undefined) {
    this.#clock = clock;
    this.#broadcast = broadcast;
  }

  get isNeeded(): boolean {
    if (this.#localListeners > 0) return true;
    if (this.#remoteDemandUntilMs === undefined) return false;
    if (this.#clock.monotonicMs() < this.#remoteDemandUntilMs) return true;
    this.#remoteDemandUntilMs = undefined;
    return false;
  }

  setLocalListeners(count: number): void {
    this.#localListeners = count;
    if (count === 0) this.stop();
    else if (this.#cancel === undefined) this.#scheduleBroadcast();
  }

  renewRemoteDemand(): void {
    this.#remoteDemandUntilMs = this.#clock.monotonicMs() + DEMAND_TTL_MS;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #scheduleBroadcast(): void {
    if (this.#broadcast === undefined) return;
    this.#cancel = this.#clock.setTimer(DEMAND_INTERVAL_MS, () => this.#scheduleBroadcast());
    this.#broadcast();
  }
}

// Sends notifications about new output from the server that saved it to clients on any server. Without
// listeners nothing is collected or sent. Notifications are not stored, so a lost one is not repeated.

export interface OutputNotifierPorts {
  readonly store: Pick<Store, 'listen' | 'notify' | 'isShared'>;
  readonly clock: TimerClock;
}

/** All listeners get the same array, so its encoding can be cached. */
export type OutputListener = (notifications: readonly OutputNotification[]) => void;

/**
 * A write has a high fixed cost: notifications of several servers and operations within this time share one.
 */
const MIN_INTERVAL_MS = 100;

export class OutputNotifier {
  readonly #listeners = new Set<OutputListener>();
  readonly #demand: OutputDemand;
  readonly #batcher: OutputBatcher;
  readonly #job: ThrottledJob;
  readonly #stopListening: () => void;
  #received: OutputNotification[] = [];
  #isStopped = false;

  constructor({ store, clock }: OutputNotifierPorts) {
    const broadcastDemand = () => store.notify(['output_subscribed']);
    this.#demand = new OutputDemand(clock, store.isShared ? broadcastDemand : undefined);
    this.#batcher = new OutputBatcher(clock, notifications => store.notify(notifications.map(formatOutputSignal)));
    this.#job = new ThrottledJob(clock, MIN_INTERVAL_MS, () => this.#broadcast());
    this.#stopListening = store.listen(signal => this.#onSignal(signal));
  }

  /** Must be called only after the transaction was committed. */
  outputSaved(output: OutputRef): void {
    if (this.#demand.isNeeded && !this.#isStopped) this.#batcher.add(output);
  }

  /** Calls the listener with the notifications of all servers. Returns a function that unsubscribes. */
  subscribe(listener: OutputListener): () => void {
    this.#listeners.add(listener);
    this.#demand.setLocalListeners(this.#listeners.size);
    return () => {
      this.#listeners.delete(listener);
      this.#demand.setLocalListeners(this.#listeners.size);
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    this.#demand.stop();
    this.#batcher.stop();
    void this.#job.stop();
  }

  #onSignal(signal: Signal): void {
    if (signal === 'output_subscribed') this.#demand.renewRemoteDemand();
    else if (this.#listeners.size > 0 && signal.startsWith('output ')) this.#enqueue(parseOutputSignal(signal));
  }

  #enqueue(notification: OutputNotification | undefined): void {
    if (notification === undefined) return;
    this.#received.push(notification);
    this.#job.scheduleIn(0);
  }

  async #broadcast(): Promise<void> {
    const notifications = this.#received;
    this.#received = [];
    await forEachYielding(this.#listeners, listener => listener(notifications));
  }
}
