import type { Address } from '../../domain/addresses/address.ts';
import type { CheckCounts } from '../../domain/watch/partition.ts';
import { looksPartitioned } from '../../domain/watch/partition.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Judgement } from './after-complaint.ts';

interface CheckSample {
  readonly hasAnswered: boolean;
  readonly atMs: number;
  /** When the host gave this result for the first time without another in between. */
  readonly sinceMs: number;
}

/** Below five samples a single silent host would look like a partition. */
const ENOUGH_SAMPLES = 5;
/** A partitioned server judges by this many of the latest samples whether it is connected again. */
const SAMPLES_TO_RECOVER = 10;
/** The silence of a host in flight counts alone only after this time: one lost packet is no partition. */
const CONFIRM_STEP_MS = 5000;
/** If some hosts answer throughout this time, the silent ones are down. */
const REAL_OUTAGE_MS = 300_000;

const count = (samples: readonly CheckSample[]): CheckCounts => {
  const answered = samples.filter(each => each.hasAnswered).length;
  return { answered, silent: samples.length - answered };
};

/** `outage`: the server is connected, and silent hosts are down. */
export type PartitionChange = 'partitioned' | 'connected' | 'outage';

/** Whether this server can reach its hosts, by the latest checks of hosts that were healthy. */
export class PartitionDetector {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #keptMs: number;
  readonly #onChange: (change: PartitionChange) => void;
  /** The latest last. */
  readonly #samples = new Map<Address, CheckSample>();
  #sinceMs: number | undefined;

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    checkIntervalMs: number,
    onChange: (change: PartitionChange) => void,
  ) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#keptMs = 2 * checkIntervalMs;
  }

  get isPartitioned(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** A host that was healthy was checked. */
  note(host: Address, hasAnswered: boolean): void {
    const atMs = this.#clock.monotonicMs();
    const last = this.#samples.get(host);
    const sinceMs = last?.hasAnswered === hasAnswered ? last.sinceMs : atMs;
    this.#samples.delete(host);
    this.#samples.set(host, { hasAnswered, atMs, sinceMs });
    for (const [oldest, sample] of this.#samples) {
      if (atMs - sample.atMs <= this.#keptMs) break;
      this.#samples.delete(oldest);
    }
    if (!this.isPartitioned) return;
    if (hasAnswered && !looksPartitioned(count([...this.#samples.values()].slice(-SAMPLES_TO_RECOVER))))
      this.#end('connected');
    else if (this.#isOutageReal(atMs)) this.acceptOutage();
  }

  /** A step has reached its host, or not. While all hosts are in flight, no check would notice a partition. */
  noteStep(host: Address, hasAnswered: boolean): void {
    this.note(host, hasAnswered);
    const sample = this.#samples.get(host);
    const isConfirmed = sample !== undefined && sample.atMs - sample.sinceMs >= CONFIRM_STEP_MS;
    if (!hasAnswered && isConfirmed && this.judge(host) === 'partitioned') this.conclude(host, 'partitioned');
  }

  /** How many more hosts have to be checked before a silent one can be judged. */
  samplesWanted(host: Address): number {
    const { silent, answered } = this.#since(host);
    return Math.max(0, ENOUGH_SAMPLES + 1 - silent - answered);
  }

  /** Judges by the checks since this host was silent for the first time: whether it is lost, or the server partitioned. */
  judge(host: Address): Judgement {
    return looksPartitioned(this.#since(host)) ? 'partitioned' : 'lost';
  }

  /** A judgement counts once it is written. The silence of a lost host says nothing about later ones. */
  conclude(host: Address, judgement: Judgement): void {
    if (judgement === 'partitioned' && !this.isPartitioned) {
      this.#sinceMs = this.#clock.monotonicMs();
      this.#onChange('partitioned');
    }
    if (judgement === 'lost') this.#samples.delete(host);
  }

  /** The silent hosts are down: their silence is no evidence of a partition. */
  acceptOutage(): void {
    if (!this.isPartitioned) return;
    for (const [host, { hasAnswered }] of this.#samples) if (!hasAnswered) this.#samples.delete(host);
    this.#end('outage');
  }

  #isOutageReal(nowMs: number): boolean {
    const untilMs = nowMs - REAL_OUTAGE_MS;
    if (this.#sinceMs === undefined || this.#sinceMs > untilMs) return false;
    return [...this.#samples.values()].some(each => each.hasAnswered && each.sinceMs <= untilMs);
  }

  /** All silent hosts, and those that have answered since this host was silent. */
  #since(host: Address): CheckCounts {
    const fromMs = this.#samples.get(host)?.atMs ?? this.#clock.monotonicMs();
    return count([...this.#samples.values()].filter(each => !each.hasAnswered || each.atMs >= fromMs));
  }

  #end(change: 'connected' | 'outage'): void {
    this.#sinceMs = undefined;
    this.#onChange(change);
  }
}
