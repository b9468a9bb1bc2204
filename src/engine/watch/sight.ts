import type { Address } from '../../domain/addresses/address.ts';
import type { Sighting } from '../../domain/watch/own-fault.ts';
import { isOwnFault } from '../../domain/watch/own-fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Judgement } from './after-complaint.ts';

interface Glance {
  readonly hasAnswered: boolean;
  readonly atMs: number;
}

/** Judged by fewer, one that is silent would be lost too easily. */
const ENOUGH_WITNESSES = 5;
/** A server that was blind looks at so many before it trusts its eyes again. */
const LOOKED_AT_TO_RECOVER = 10;

const count = (glances: readonly Glance[]): Sighting => {
  const answered = glances.filter(each => each.hasAnswered).length;
  return { answered, silent: glances.length - answered };
};

/** What this server has lately seen of the hosts that were well. */
export class Sight {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #keptMs: number;
  readonly #onChange: (isBlind: boolean) => void;
  /** The latest last. */
  readonly #glances = new Map<Address, Glance>();
  #isBlind = false;

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    checkIntervalMs: number,
    onChange: (isBlind: boolean) => void,
  ) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#keptMs = 2 * checkIntervalMs;
  }

  /** Whether so many stopped answering that it must be this server's own fault. */
  get isBlind(): boolean {
    return this.#isBlind;
  }

  /** A host that was well was looked at. */
  note(host: Address, hasAnswered: boolean): void {
    const atMs = this.#clock.monotonicMs();
    this.#glances.delete(host);
    this.#glances.set(host, { hasAnswered, atMs });
    for (const [oldest, glance] of this.#glances) {
      if (atMs - glance.atMs <= this.#keptMs) break;
      this.#glances.delete(oldest);
    }
    if (this.#isBlind && hasAnswered) {
      this.#set(isOwnFault(count([...this.#glances.values()].slice(-LOOKED_AT_TO_RECOVER))));
    }
  }

  /** How many more have to be looked at before one that is silent can be judged. */
  witnessesWanted(host: Address): number {
    const { silent, answered } = this.#since(host);
    return Math.max(0, ENOUGH_WITNESSES + 1 - silent - answered);
  }

  /** Judges by what was seen since this host was silent for the first time: whether it is lost, or the server blind. */
  judge(host: Address): Judgement {
    return isOwnFault(this.#since(host)) ? 'blind' : 'lost';
  }

  /** A judgement counts: it is written. Of a host that is lost nothing more follows for others. */
  conclude(host: Address, judgement: Judgement): void {
    if (judgement === 'blind') this.#set(true);
    if (judgement === 'lost') this.#glances.delete(host);
  }

  /** Those that are silent, since whenever, and those that have answered since this host was silent. */
  #since(host: Address): Sighting {
    const fromMs = this.#glances.get(host)?.atMs ?? this.#clock.monotonicMs();
    return count([...this.#glances.values()].filter(each => !each.hasAnswered || each.atMs >= fromMs));
  }

  #set(isBlind: boolean): void {
    if (isBlind === this.#isBlind) return;
    this.#isBlind = isBlind;
    this.#onChange(isBlind);
  }
}
