import type { Address } from '../domain/addresses/address.ts';
import { sortAddresses } from '../domain/addresses/address.ts';
import type { OutputNotification, OutputRef } from '../domain/events/signal.ts';
import { MAX_HOSTS_PER_NOTIFICATION } from '../domain/events/signal.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { AlarmClock } from '../lib/time/clock.ts';

/** Many hosts speak at the same time, and each of them every second. */
const GATHER_MS = 500;

/** Makes few hints of much output: one for each operation, or more where there are too many hosts for one. */
export class HintGatherer {
  readonly #clock: AlarmClock;
  readonly #onGathered: (hints: readonly OutputNotification[]) => void;
  readonly #gathered = new Map<string, { readonly cluster: RecordName; readonly hosts: Set<Address> }>();
  #cancel: (() => void) | undefined;

  constructor(clock: AlarmClock, onGathered: (hints: readonly OutputNotification[]) => void) {
    this.#clock = clock;
    this.#onGathered = onGathered;
  }

  add({ operation, cluster, host }: OutputRef): void {
    const known = this.#gathered.get(operation);
    if (known) known.hosts.add(host);
    else this.#gathered.set(operation, { cluster, hosts: new Set([host]) });
    this.#cancel ??= this.#clock.after(GATHER_MS, () => this.#tell());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#gathered.clear();
  }

  #tell(): void {
    this.#cancel = undefined;
    const hints: OutputNotification[] = [];
    for (const [operation, { cluster, hosts }] of this.#gathered) {
      const sorted = sortAddresses(hosts);
      for (let place = 0; place < sorted.length; place += MAX_HOSTS_PER_NOTIFICATION)
        hints.push({ operation, cluster, hosts: sorted.slice(place, place + MAX_HOSTS_PER_NOTIFICATION) });
    }
    this.#gathered.clear();
    this.#onGathered(hints);
  }
}
