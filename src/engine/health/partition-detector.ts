import type { Address } from '../../domain/addresses/address.ts';
import type { CheckCounts } from '../../domain/health-check.ts';
import { indicatesPartition } from '../../domain/health-check.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** `inconclusive`: other hosts must be checked first. `partitioned`: this server has probably lost its network. */
export type FailureVerdict = 'unreachable' | 'inconclusive' | 'partitioned';

/** `down`: known to be down, so a missing response is no evidence of a partition. */
type SampleResult = 'responsive' | 'unresponsive' | 'down';

interface CheckSample {
  readonly result: SampleResult;
  readonly atMs: number;
  /** Time of the first of consecutive samples with this result. */
  readonly sinceMs: number;
  /** Time of the first response after missing ones; `undefined` if the host was never unresponsive. */
  readonly recoveredAtMs: number | undefined;
}

/** A partition needs three unresponsive hosts and a majority. With fewer samples of other hosts, the rule cannot decide. */
const MIN_OTHER_SAMPLES = 5;
const SAMPLES_TO_RECOVER = 10;
/** One lost packet is not a partition. */
const STEP_CLASSIFY_INTERVAL_MS = 5000;
const CORROBORATION_TIMEOUT_MS = 5000;
/** With more samples, a partitioned server evaluates all of them at most once per second. */
const MANY_SAMPLES = 1000;
const EVALUATE_MANY_INTERVAL_MS = 1000;
/** If some hosts respond throughout this time, the unresponsive hosts are down. */
const REAL_OUTAGE_MS = 300_000;

const countSamples = (samples: readonly CheckSample[]): CheckCounts => ({
  responsive: samples.filter(({ result }) => result === 'responsive').length,
  unresponsive: samples.filter(({ result }) => result === 'unresponsive').length,
});

/** `outage`: the server is connected and the unresponsive hosts are down. */
export type PartitionChange = 'partitioned' | 'connected' | 'outage';

export class PartitionDetector {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #checkIntervalMs: number;
  readonly #retentionMs: number;
  readonly #onChange: (change: PartitionChange) => void;
  /** In insertion order, latest last. */
  readonly #samples = new Map<Address, CheckSample>();
  #partitionedSinceMs: number | undefined;
  /** Until this time a user has declared all unresponsive hosts down. */
  #overruledUntilMs = Number.NEGATIVE_INFINITY;
  #checksScheduledAtMs = Number.NEGATIVE_INFINITY;
  #evaluatedAtMs = Number.NEGATIVE_INFINITY;
  readonly #confirmedUnresponsive = new Set<Address>();
  readonly #classifiedAtMs = new Map<Address, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>, checkIntervalMs: number, onChange: (change: PartitionChange) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#checkIntervalMs = checkIntervalMs;
    this.#retentionMs = 2 * checkIntervalMs;
  }

  get isPartitioned(): boolean {
    return this.#partitionedSinceMs !== undefined;
  }

  recordSample(host: Address, hasResponded: boolean): void {
    const atMs = this.#clock.monotonicMs();
    this.#samples.set(host, this.#nextSample(host, hasResponded, atMs));
    if (hasResponded) this.#forgetUnresponsive(host);
    for (const [oldest, sample] of this.#samples) {
      if (atMs - sample.atMs <= this.#retentionMs) break;
      this.#samples.delete(oldest);
      this.#forgetUnresponsive(oldest);
    }
    if (!this.isPartitioned || !this.#isEvaluationDue(atMs)) return;
    if (this.#haveHostsRecovered() || this.#doMostRespond(atMs)) this.#endPartition('connected');
    else if (this.#isOutageReal(atMs)) this.#acceptOutage();
  }

  /** While all hosts are in flight, no health check would detect a partition, so steps do it. */
  nextActionForStep(host: Address): 'schedule_checks' | 'classify' | undefined {
    const sample = this.#samples.get(host);
    if (sample?.result !== 'unresponsive' || this.isPartitioned) return undefined;
    const nowMs = this.#clock.monotonicMs();
    const lastMs = this.#classifiedAtMs.get(host);
    if (nowMs - (lastMs ?? sample.sinceMs) < STEP_CLASSIFY_INTERVAL_MS) return undefined;
    this.#classifiedAtMs.set(host, nowMs);
    return lastMs === undefined ? 'schedule_checks' : 'classify';
  }

  /** Enough other hosts have responded since, so the host is unresponsive and the server is connected. */
  confirmUnresponsive(host: Address): void {
    this.#confirmedUnresponsive.add(host);
  }

  isConfirmedUnresponsive(host: Address): boolean {
    return this.#confirmedUnresponsive.has(host) || this.#samples.get(host)?.result === 'down';
  }

  get areCorroboratingChecksPending(): boolean {
    return this.#clock.monotonicMs() - this.#checksScheduledAtMs < CORROBORATION_TIMEOUT_MS;
  }

  markCorroboratingChecksScheduled(): void {
    this.#checksScheduledAtMs = this.#clock.monotonicMs();
  }

  samplesNeeded(host: Address): number {
    const { unresponsive, responsive } = this.#countSince(host);
    return Math.max(0, MIN_OTHER_SAMPLES + 1 - unresponsive - responsive);
  }

  classify(host: Address): Exclude<FailureVerdict, 'inconclusive'> {
    return indicatesPartition(this.#countSince(host)) ? 'partitioned' : 'unreachable';
  }

  /** Called after the verdict was committed. */
  applyVerdict(host: Address, verdict: FailureVerdict): void {
    if (verdict === 'partitioned' && !this.isPartitioned) {
      this.#partitionedSinceMs = this.#clock.monotonicMs();
      this.#onChange('partitioned');
    }
    const sample = this.#samples.get(host);
    if (verdict === 'unreachable' && sample?.result === 'unresponsive')
      this.#samples.set(host, { ...sample, result: 'down' });
  }

  /** A user declares all unresponsive hosts down, including hosts that are checked for the first time later. */
  overrule(): void {
    if (!this.isPartitioned) return;
    this.#overruledUntilMs = this.#clock.monotonicMs() + this.#retentionMs;
    this.#acceptOutage();
  }

  #nextSample(host: Address, hasResponded: boolean, atMs: number): CheckSample {
    const last = this.#samples.get(host);
    this.#samples.delete(host);
    const isDown = last?.result === 'down' || atMs < this.#overruledUntilMs;
    const failure = isDown ? 'down' : 'unresponsive';
    const result = hasResponded ? 'responsive' : failure;
    const hasRecovered = hasResponded && last !== undefined && last.result !== 'responsive';
    return {
      result,
      atMs,
      sinceMs: last?.result === result ? last.sinceMs : atMs,
      recoveredAtMs: hasRecovered ? atMs : last?.recoveredAtMs,
    };
  }

  #isEvaluationDue(nowMs: number): boolean {
    if (this.#samples.size > MANY_SAMPLES && nowMs - this.#evaluatedAtMs < EVALUATE_MANY_INTERVAL_MS) return false;
    this.#evaluatedAtMs = nowMs;
    return true;
  }

  /** Counts only hosts that were unresponsive, because hosts that always responded say nothing about the others. */
  #haveHostsRecovered(): boolean {
    const sinceMs = this.#partitionedSinceMs ?? 0;
    const isRecovered = ({ result, recoveredAtMs = -1 }: CheckSample) =>
      result === 'responsive' && recoveredAtMs >= sinceMs;
    const latest = [...this.#samples.values()]
      .filter(sample => sample.result === 'unresponsive' || isRecovered(sample))
      .slice(-SAMPLES_TO_RECOVER);
    return latest.some(isRecovered) && !indicatesPartition(countSamples(latest));
  }

  /** Waits until every host was checked again, because a smaller sample can contain mostly responsive hosts. */
  #doMostRespond(nowMs: number): boolean {
    const sinceMs = this.#partitionedSinceMs ?? nowMs;
    if (nowMs - sinceMs < this.#checkIntervalMs) return false;
    return !indicatesPartition(countSamples([...this.#samples.values()].filter(({ atMs }) => atMs >= sinceMs)));
  }

  #isOutageReal(nowMs: number): boolean {
    const untilMs = nowMs - REAL_OUTAGE_MS;
    if (this.#partitionedSinceMs === undefined || this.#partitionedSinceMs > untilMs) return false;
    return [...this.#samples.values()].some(sample => sample.result === 'responsive' && sample.sinceMs <= untilMs);
  }

  #acceptOutage(): void {
    for (const [host, sample] of this.#samples)
      if (sample.result === 'unresponsive') this.#samples.set(host, { ...sample, result: 'down' });
    this.#endPartition('outage');
  }

  #countSince(host: Address): CheckCounts {
    const fromMs = this.#samples.get(host)?.sinceMs ?? this.#clock.monotonicMs();
    return countSamples(
      [...this.#samples.values()].filter(sample => sample.result === 'unresponsive' || sample.atMs >= fromMs),
    );
  }

  #forgetUnresponsive(host: Address): void {
    this.#classifiedAtMs.delete(host);
    this.#confirmedUnresponsive.delete(host);
  }

  #endPartition(change: 'connected' | 'outage'): void {
    this.#partitionedSinceMs = undefined;
    this.#onChange(change);
  }
}
