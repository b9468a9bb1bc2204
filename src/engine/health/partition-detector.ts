import type { Address } from '../../domain/addresses/address.ts';
import type { CheckCounts } from '../../domain/health-check.ts';
import { indicatesPartition } from '../../domain/health-check.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** `unsure`: other hosts have to be checked first. `partitioned`: it is more likely that the server has lost its network. */
export type FailureVerdict = 'lost' | 'inconclusive' | 'partitioned';

/** The latest result of a host. `down`: it is silent, and known to be down, so its silence is no evidence of a partition. */
type SampleResult = 'responsive' | 'unresponsive' | 'down';

interface CheckSample {
  readonly result: SampleResult;
  readonly atMs: number;
  /** When the host gave this result for the first time without another in between. */
  readonly sinceMs: number;
  /** When the host answered for the first time after it was silent; `undefined`: it was not. */
  readonly recoveredAtMs: number | undefined;
}

/** Below five samples a single silent host would look like a partition. */
const MIN_SAMPLES = 5;
/** A partitioned server judges by this many of the latest samples whether it is connected again. */
const SAMPLES_TO_RECOVER = 10;
/** A host in flight is judged after this time of silence, and again after the same time: one lost packet is no partition. */
const STEP_CLASSIFY_INTERVAL_MS = 5000;
/** Hosts that are checked as witnesses have answered within this time, or are silent. */
const CORROBORATION_TIMEOUT_MS = 5000;
/** With more samples a partitioned server looks at all of them at most once a second. */
const MANY_SAMPLES = 1000;
const EVALUATE_MANY_INTERVAL_MS = 1000;
/** If some hosts answer throughout this time, the silent ones are down. */
const REAL_OUTAGE_MS = 300_000;

const countSamples = (samples: readonly CheckSample[]): CheckCounts => ({
  responsive: samples.filter(({ result }) => result === 'responsive').length,
  unresponsive: samples.filter(({ result }) => result === 'unresponsive').length,
});

/** `outage`: the server is connected, and silent hosts are down. */
export type PartitionChange = 'partitioned' | 'connected' | 'outage';

/** Whether this server can reach its hosts, by the latest checks of hosts that were healthy. */
export class PartitionDetector {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #checkIntervalMs: number;
  /** How long a sample counts. */
  readonly #retentionMs: number;
  readonly #onChange: (change: PartitionChange) => void;
  /** The latest last. */
  readonly #samples = new Map<Address, CheckSample>();
  #partitionedSinceMs: number | undefined;
  /** Until then a person has declared every silent host to be down. */
  #overruledUntilMs = Number.NEGATIVE_INFINITY;
  #checksScheduledAtMs = Number.NEGATIVE_INFINITY;
  #evaluatedAtMs = Number.NEGATIVE_INFINITY;
  /** Hosts whose silence is trusted, until they answer. */
  readonly #confirmedSilent = new Set<Address>();
  /** When the silence of each host in flight was last judged. */
  readonly #classifiedAtMs = new Map<Address, number>();

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    checkIntervalMs: number,
    onChange: (change: PartitionChange) => void,
  ) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#checkIntervalMs = checkIntervalMs;
    this.#retentionMs = 2 * checkIntervalMs;
  }

  get isPartitioned(): boolean {
    return this.#partitionedSinceMs !== undefined;
  }

  /** A host that was healthy was checked, or a host in flight was contacted by a step. */
  recordSample(host: Address, hasAnswered: boolean): void {
    const atMs = this.#clock.monotonicMs();
    this.#samples.set(host, this.#nextSample(host, hasAnswered, atMs));
    if (hasAnswered) this.#forgetSilence(host);
    for (const [oldest, sample] of this.#samples) {
      if (atMs - sample.atMs <= this.#retentionMs) break;
      this.#samples.delete(oldest);
      this.#forgetSilence(oldest);
    }
    if (!this.isPartitioned || !this.#isEvaluationDue(atMs)) return;
    if (this.#haveHostsRecovered() || this.#doMostAnswer(atMs)) this.#endPartition('connected');
    else if (this.#isOutageReal(atMs)) this.#acceptOutage();
  }

  /**
   * What is to be done about a host in flight that has not answered: witnesses are called once, and the host is judged when they had time to
   * answer. While all hosts are in flight, no check would notice a partition.
   */
  nextActionForStep(host: Address): 'schedule_checks' | 'classify' | undefined {
    const sample = this.#samples.get(host);
    if (sample?.result !== 'unresponsive' || this.isPartitioned) return undefined;
    const nowMs = this.#clock.monotonicMs();
    const lastMs = this.#classifiedAtMs.get(host);
    if (nowMs - (lastMs ?? sample.sinceMs) < STEP_CLASSIFY_INTERVAL_MS) return undefined;
    this.#classifiedAtMs.set(host, nowMs);
    return lastMs === undefined ? 'schedule_checks' : 'classify';
  }

  /** The silence of a host in flight is not that of the server: enough other hosts have answered since. */
  confirmSilence(host: Address): void {
    this.#confirmedSilent.add(host);
  }

  isSilenceConfirmed(host: Address): boolean {
    return this.#confirmedSilent.has(host) || this.#samples.get(host)?.result === 'down';
  }

  /** Other hosts are being checked, so that a silent one can be judged. */
  get areCorroboratingChecksPending(): boolean {
    return this.#clock.monotonicMs() - this.#checksScheduledAtMs < CORROBORATION_TIMEOUT_MS;
  }

  corroboratingChecksScheduled(): void {
    this.#checksScheduledAtMs = this.#clock.monotonicMs();
  }

  /** How many more hosts have to be checked before a silent one can be judged. */
  samplesNeeded(host: Address): number {
    const { unresponsive, responsive } = this.#countSince(host);
    return Math.max(0, MIN_SAMPLES + 1 - unresponsive - responsive);
  }

  /** Judges by the checks since this host was silent for the first time: whether it is lost, or the server partitioned. */
  classify(host: Address): Exclude<FailureVerdict, 'inconclusive'> {
    return indicatesPartition(this.#countSince(host)) ? 'partitioned' : 'lost';
  }

  /** A judgement counts once it is written. */
  applyVerdict(host: Address, verdict: FailureVerdict): void {
    if (verdict === 'partitioned' && !this.isPartitioned) {
      this.#partitionedSinceMs = this.#clock.monotonicMs();
      this.#onChange('partitioned');
    }
    const sample = this.#samples.get(host);
    if (verdict === 'lost' && sample?.result === 'unresponsive')
      this.#samples.set(host, { ...sample, result: 'down' });
  }

  /** A person says that silent hosts are down. Hosts that are checked for the first time after this are included. */
  overrule(): void {
    if (!this.isPartitioned) return;
    this.#overruledUntilMs = this.#clock.monotonicMs() + this.#retentionMs;
    this.#acceptOutage();
  }

  #nextSample(host: Address, hasAnswered: boolean, atMs: number): CheckSample {
    const last = this.#samples.get(host);
    this.#samples.delete(host);
    const isDown = last?.result === 'down' || atMs < this.#overruledUntilMs;
    const silence = isDown ? 'down' : 'unresponsive';
    const result = hasAnswered ? 'responsive' : silence;
    const hasRecovered = hasAnswered && last !== undefined && last.result !== 'responsive';
    return {
      result,
      atMs,
      sinceMs: last?.result === result ? last.sinceMs : atMs,
      recoveredAtMs: hasRecovered ? atMs : last?.recoveredAtMs,
    };
  }

  /** Looking at all samples takes long where they are many. */
  #isEvaluationDue(nowMs: number): boolean {
    if (this.#samples.size > MANY_SAMPLES && nowMs - this.#evaluatedAtMs < EVALUATE_MANY_INTERVAL_MS)
      return false;
    this.#evaluatedAtMs = nowMs;
    return true;
  }

  /** Hosts that have answered throughout say nothing about the others, so only hosts that were silent count here. */
  #haveHostsRecovered(): boolean {
    const sinceMs = this.#partitionedSinceMs ?? 0;
    const isRecovered = ({ result, recoveredAtMs = -1 }: CheckSample) =>
      result === 'responsive' && recoveredAtMs >= sinceMs;
    const latest = [...this.#samples.values()]
      .filter(sample => sample.result === 'unresponsive' || isRecovered(sample))
      .slice(-SAMPLES_TO_RECOVER);
    return latest.some(isRecovered) && !indicatesPartition(countSamples(latest));
  }

  /** Once every host was checked again: fewer hosts may by chance be mostly those that answer. */
  #doMostAnswer(nowMs: number): boolean {
    const sinceMs = this.#partitionedSinceMs ?? nowMs;
    if (nowMs - sinceMs < this.#checkIntervalMs) return false;
    return !indicatesPartition(
      countSamples([...this.#samples.values()].filter(({ atMs }) => atMs >= sinceMs)),
    );
  }

  #isOutageReal(nowMs: number): boolean {
    const untilMs = nowMs - REAL_OUTAGE_MS;
    if (this.#partitionedSinceMs === undefined || this.#partitionedSinceMs > untilMs) return false;
    return [...this.#samples.values()].some(each => each.result === 'responsive' && each.sinceMs <= untilMs);
  }

  #acceptOutage(): void {
    for (const [host, sample] of this.#samples)
      if (sample.result === 'unresponsive') this.#samples.set(host, { ...sample, result: 'down' });
    this.#endPartition('outage');
  }

  /** All silent hosts, and those that have answered since this host was silent for the first time. */
  #countSince(host: Address): CheckCounts {
    const fromMs = this.#samples.get(host)?.sinceMs ?? this.#clock.monotonicMs();
    return countSamples(
      [...this.#samples.values()].filter(each => each.result === 'unresponsive' || each.atMs >= fromMs),
    );
  }

  #forgetSilence(host: Address): void {
    this.#classifiedAtMs.delete(host);
    this.#confirmedSilent.delete(host);
  }

  #endPartition(change: 'connected' | 'outage'): void {
    this.#partitionedSinceMs = undefined;
    this.#onChange(change);
  }
}
