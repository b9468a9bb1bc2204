import type { Address } from '../domain/addresses/address.ts';
import { sortAddresses } from '../domain/addresses/address.ts';
import type { OutputHint, SavedOutput } from '../domain/events/output-hint.ts';
import { MOST_HOSTS_IN_HINT } from '../domain/events/output-hint.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { AlarmClock } from '../lib/time/clock.ts';

/** Many hosts speak at the same time, and each of them every second. */
const GATHER_MS = 500;

/** Makes few hints of much output: one for each operation, or more where there are too many hosts for one. */
export class HintGatherer {
  readonly #clock: AlarmClock;
  readonly #onGathered: (hints: readonly OutputHint[]) => void;
  readonly #gathered = new Map<string, { readonly cluster: RecordName; readonly hosts: Set<Address> }>();
  #cancel: (() => void) | undefined;

  constructor(clock: AlarmClock, onGathered: (hints: readonly OutputHint[]) => void) {
    this.#clock = clock;
    this.#onGathered = onGathered;
  }

  add({ operation, cluster, host }: SavedOutput): void {
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
    const hints: OutputHint[] = [];
    for (const [operation, { cluster, hosts }] of this.#gathered) {
      const sorted = sortAddresses(hosts);
      for (let place = 0; place < sorted.length; place += MOST_HOSTS_IN_HINT)
        hints.push({ operation, cluster, hosts: sorted.slice(place, place + MOST_HOSTS_IN_HINT) });
    }
    this.#gathered.clear();
    this.#onGathered(hints);
  }
}
