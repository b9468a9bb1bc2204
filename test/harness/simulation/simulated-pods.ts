import type { DrainReport } from '../../../src/drivers/container-manager/container-manager.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';

export interface PodSpec {
  readonly name: string;
  /** Something makes it anew elsewhere when it goes. Default: yes. */
  readonly hasController?: boolean;
  /** Belongs to its node, and stays while that is drained. */
  readonly isDaemon?: boolean;
  /** From the eviction until it is gone. Default: at once. */
  readonly goneAfterMs?: number;
  /** For how long its disruption budget refuses, from the first time it is asked to go. */
  readonly refusesForMs?: number;
  /** What its eviction always ends with, as that of a pod with two disruption budgets. */
  readonly evictionError?: string;
}

interface Pod {
  readonly spec: PodSpec;
  goneAtMs?: number;
  refusesUntilMs?: number;
}

const namesOf = (pods: readonly Pod[]) => pods.map(({ spec }) => spec.name).join(', ');

/** What runs on one node. Nothing waits: how far a pod has come is worked out from the time when somebody looks. */
export class SimulatedPods {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #pods: Pod[] = [];

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  add(...specs: readonly PodSpec[]): void {
    this.#pods.push(...specs.map(spec => ({ spec })));
  }

  /** Of all that are there. */
  get names(): readonly string[] {
    return this.#present().map(({ spec }) => spec.name);
  }

  drain({ force }: { readonly force: boolean }): DrainReport {
    const toGo = this.#present().filter(pod => !pod.spec.isDaemon);
    const alone = toGo.filter(pod => pod.spec.hasController === false && pod.goneAtMs === undefined);
    // Seen before anything is asked to go.
    if (alone.length > 0 && !force) return { state: 'refused', detail: `no controller: ${namesOf(alone)}` };
    const errors: string[] = [];
    for (const pod of toGo) {
      const error = this.#evict(pod, force);
      if (error !== undefined) errors.push(`${pod.spec.name}: ${error}`);
    }
    if (errors.length > 0) return { state: 'refused', detail: errors.join('; ') };
    const left = this.#present().filter(pod => !pod.spec.isDaemon);
    if (left.length === 0) return { state: 'drained' };
    return { state: 'draining', remaining: left.length, detail: `still there: ${namesOf(left)}` };
  }

  /** Answers what it ends with, if that is an error. One that has been accepted goes on. */
  #evict(pod: Pod, force: boolean): string | undefined {
    const { evictionError, refusesForMs = 0, goneAfterMs = 0 } = pod.spec;
    const nowMs = this.#clock.monotonicMs();
    if (pod.goneAtMs !== undefined) return undefined;
    if (evictionError !== undefined && !force) return evictionError;
    pod.refusesUntilMs ??= nowMs + refusesForMs;
    if (force || nowMs >= pod.refusesUntilMs) pod.goneAtMs = nowMs + goneAfterMs;
    return undefined;
  }

  #present(): readonly Pod[] {
    const nowMs = this.#clock.monotonicMs();
    this.#pods = this.#pods.filter(({ goneAtMs = Number.POSITIVE_INFINITY }) => goneAtMs > nowMs);
    return this.#pods;
  }
}
