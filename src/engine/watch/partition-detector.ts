import type { Address } from '../../domain/addresses/address.ts';
import type { CheckCounts } from '../../domain/watch/partition.ts';
import { looksPartitioned } from '../../domain/watch/partition.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** `unsure`: other hosts have to be checked first. `partitioned`: it is more likely that the server has lost its network. */
export type Judgement = 'lost' | 'unsure' | 'partitioned';

/** The latest result of a host. `down`: it is silent, and known to be down, so its silence is no evidence of a partition. */
type CheckResult = 'answered' | 'silent' | 'down';

interface CheckSample {
  readonly result: CheckResult;
  readonly atMs: number;
  /** When the host gave this result for the first time without another in between. */
  readonly sinceMs: number;
  /** When the host answered for the first time after it was silent; `undefined`: it was not. */
  readonly recoveredAtMs: number | undefined;
}

/** Below five samples a single silent host would look like a partition. */
const ENOUGH_SAMPLES = 5;
/** A partitioned server judges by this many of the latest samples whether it is connected again. */
const SAMPLES_TO_RECOVER = 10;
/** A host in flight is judged after this time of silence, and again after the same time: one lost packet is no partition. */
const JUDGE_STEP_EVERY_MS = 5000;
/** Hosts that are checked as witnesses have answered within this time, or are silent. */
const WITNESSES_ANSWER_WITHIN_MS = 5000;
/** With more samples a partitioned server looks at all of them at most once a second. */
const MANY_SAMPLES = 1000;
const LOOK_AT_MANY_EVERY_MS = 1000;
/** If some hosts answer throughout this time, the silent ones are down. */
const REAL_OUTAGE_MS = 300_000;

const count = (samples: readonly CheckSample[]): CheckCounts => ({
  answered: samples.filter(({ result }) => result === 'answered').length,
  silent: samples.filter(({ result }) => result === 'silent').length,
});

/** `outage`: the server is connected, and silent hosts are down. */
export type PartitionChange = 'partitioned' | 'connected' | 'outage';

/** Whether this server can reach its hosts, by the latest checks of hosts that were healthy. */
export class PartitionDetector {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #checkIntervalMs: number;
  /** How long a sample counts. */
  readonly #keptMs: number;
  readonly #onChange: (change: PartitionChange) => void;
  /** The latest last. */
  readonly #samples = new Map<Address, CheckSample>();
  #sinceMs: number | undefined;
  /** Until then a person has declared every silent host to be down. */
  #overruledUntilMs = Number.NEGATIVE_INFINITY;
  #witnessesCalledAtMs = Number.NEGATIVE_INFINITY;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Hosts whose silence is trusted, until they answer. */
  readonly #trusted = new Set<Address>();
  /** When the silence of each host in flight was last judged. */
  readonly #judgedAtMs = new Map<Address, number>();

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    checkIntervalMs: number,
    onChange: (change: PartitionChange) => void,
  ) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#checkIntervalMs = checkIntervalMs;
    this.#keptMs = 2 * checkIntervalMs;
  }

  get isPartitioned(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** A host that was healthy was checked, or a host in flight was contacted by a step. */
  note(host: Address, hasAnswered: boolean): void {
    const atMs = this.#clock.monotonicMs();
    this.#samples.set(host, this.#nextSample(host, hasAnswered, atMs));
    if (hasAnswered) this.#forgetSilence(host);
    for (const [oldest, sample] of this.#samples) {
      if (atMs - sample.atMs <= this.#keptMs) break;
      this.#samples.delete(oldest);
      this.#forgetSilence(oldest);
    }
    if (!this.isPartitioned || !this.#isTimeToLook(atMs)) return;
    if (this.#haveHostsRecovered() || this.#doMostAnswer(atMs)) this.#end('connected');
    else if (this.#isOutageReal(atMs)) this.#acceptOutage();
  }

  /**
   * What is to be done about a host in flight that has not answered: witnesses are called once, and the host is judged when they had time to
   * answer. While all hosts are in flight, no check would notice a partition.
   */
  nextForStep(host: Address): 'call witnesses' | 'judge' | undefined {
    const sample = this.#samples.get(host);
    if (sample?.result !== 'silent' || this.isPartitioned) return undefined;
    const nowMs = this.#clock.monotonicMs();
    const lastMs = this.#judgedAtMs.get(host);
    if (nowMs - (lastMs ?? sample.sinceMs) < JUDGE_STEP_EVERY_MS) return undefined;
    this.#judgedAtMs.set(host, nowMs);
    return lastMs === undefined ? 'call witnesses' : 'judge';
  }

  /** The silence of a host in flight is not that of the server: enough other hosts have answered since. */
  trust(host: Address): void {
    this.#trusted.add(host);
  }

  isTrusted(host: Address): boolean {
    return this.#trusted.has(host) || this.#samples.get(host)?.result === 'down';
  }

  /** Other hosts are being checked, so that a silent one can be judged. */
  get areWitnessesPending(): boolean {
    return this.#clock.monotonicMs() - this.#witnessesCalledAtMs < WITNESSES_ANSWER_WITHIN_MS;
  }

  witnessesCalled(): void {
    this.#witnessesCalledAtMs = this.#clock.monotonicMs();
  }

  /** How many more hosts have to be checked before a silent one can be judged. */
  samplesWanted(host: Address): number {
    const { silent, answered } = this.#countSince(host);
    return Math.max(0, ENOUGH_SAMPLES + 1 - silent - answered);
  }

  /** Judges by the checks since this host was silent for the first time: whether it is lost, or the server partitioned. */
  judge(host: Address): Exclude<Judgement, 'unsure'> {
    return looksPartitioned(this.#countSince(host)) ? 'partitioned' : 'lost';
  }

  /** A judgement counts once it is written. */
  conclude(host: Address, judgement: Judgement): void {
    if (judgement === 'partitioned' && !this.isPartitioned) {
      this.#sinceMs = this.#clock.monotonicMs();
      this.#onChange('partitioned');
    }
    const sample = this.#samples.get(host);
    if (judgement === 'lost' && sample?.result === 'silent')
      this.#samples.set(host, { ...sample, result: 'down' });
  }

  /** A person says that silent hosts are down. Hosts that are checked for the first time after this are included. */
  overrule(): void {
    if (!this.isPartitioned) return;
    this.#overruledUntilMs = this.#clock.monotonicMs() + this.#keptMs;
    this.#acceptOutage();
  }

  #nextSample(host: Address, hasAnswered: boolean, atMs: number): CheckSample {
    const last = this.#samples.get(host);
    this.#samples.delete(host);
    const isDown = last?.result === 'down' || atMs < this.#overruledUntilMs;
    const silence = isDown ? 'down' : 'silent';
    const result = hasAnswered ? 'answered' : silence;
    const hasRecovered = hasAnswered && last !== undefined && last.result !== 'answered';
    return {
      result,
      atMs,
      sinceMs: last?.result === result ? last.sinceMs : atMs,
      recoveredAtMs: hasRecovered ? atMs : last?.recoveredAtMs,
    };
  }

  /** Looking at all samples takes long where they are many. */
  #isTimeToLook(nowMs: number): boolean {
    if (this.#samples.size > MANY_SAMPLES && nowMs - this.#lookedAtMs < LOOK_AT_MANY_EVERY_MS) return false;
    this.#lookedAtMs = nowMs;
    return true;
  }

  /** Hosts that have answered throughout say nothing about the others, so only hosts that were silent count here. */
  #haveHostsRecovered(): boolean {
    const sinceMs = this.#sinceMs ?? 0;
    const isRecovered = ({ result, recoveredAtMs = -1 }: CheckSample) =>
      result === 'answered' && recoveredAtMs >= sinceMs;
    const latest = [...this.#samples.values()]
      .filter(sample => sample.result === 'silent' || isRecovered(sample))
      .slice(-SAMPLES_TO_RECOVER);
    return latest.some(isRecovered) && !looksPartitioned(count(latest));
  }

  /** Once every host was checked again: fewer hosts may by chance be mostly those that answer. */
  #doMostAnswer(nowMs: number): boolean {
    const sinceMs = this.#sinceMs ?? nowMs;
    if (nowMs - sinceMs < this.#checkIntervalMs) return false;
    return !looksPartitioned(count([...this.#samples.values()].filter(({ atMs }) => atMs >= sinceMs)));
  }

  #isOutageReal(nowMs: number): boolean {
    const untilMs = nowMs - REAL_OUTAGE_MS;
    if (this.#sinceMs === undefined || this.#sinceMs > untilMs) return false;
    return [...this.#samples.values()].some(each => each.result === 'answered' && each.sinceMs <= untilMs);
  }

  #acceptOutage(): void {
    for (const [host, sample] of this.#samples)
      if (sample.result === 'silent') this.#samples.set(host, { ...sample, result: 'down' });
    this.#end('outage');
  }

  /** All silent hosts, and those that have answered since this host was silent for the first time. */
  #countSince(host: Address): CheckCounts {
    const fromMs = this.#samples.get(host)?.sinceMs ?? this.#clock.monotonicMs();
    return count([...this.#samples.values()].filter(each => each.result === 'silent' || each.atMs >= fromMs));
  }

  #forgetSilence(host: Address): void {
    this.#judgedAtMs.delete(host);
    this.#trusted.delete(host);
  }

  #end(change: 'connected' | 'outage'): void {
    this.#sinceMs = undefined;
    this.#onChange(change);
  }
}
