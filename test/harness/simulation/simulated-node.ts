import type { Address } from '../../../src/domain/addresses/address.ts';
import type { CordonOwner } from '../../../src/domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../../src/domain/rollout/operation-host.ts';
import type { DrainReport, NodeReport } from '../../../src/drivers/container-manager/container-manager.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';

export interface PodSpec {
  readonly name: string;
  /** A controller recreates the pod on another node. Default: yes. */
  readonly hasController?: boolean;
  /** Stays on the node during a drain. */
  readonly isDaemon?: boolean;
  /** From the eviction. Default: immediately. */
  readonly goneAfterMs?: number;
  /** How long the disruption budget blocks the eviction, from the first attempt. */
  readonly blockedForMs?: number;
  /** Error of every eviction, such as for a pod with two disruption budgets. */
  readonly evictionError?: string;
}

interface Pod {
  readonly spec: PodSpec;
  goneAtMs?: number;
  blockedUntilMs?: number;
}

const formatNames = (pods: readonly Pod[]) => pods.map(({ spec }) => spec.name).join(', ');

/** Pods of one node. Their state is computed from the clock. */
export class SimulatedPods {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #pods: Pod[] = [];

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  add(...specs: readonly PodSpec[]): void {
    this.#pods.push(...specs.map(spec => ({ spec })));
  }

  get names(): readonly string[] {
    return this.#present().map(({ spec }) => spec.name);
  }

  drain({ force }: { readonly force: boolean }): DrainReport {
    const evictable = this.#present().filter(pod => !pod.spec.isDaemon);
    const unmanaged = evictable.filter(pod => pod.spec.hasController === false && pod.goneAtMs === undefined);
    // Checked before any eviction.
    if (unmanaged.length > 0 && !force) return { state: 'refused', detail: `no controller: ${formatNames(unmanaged)}` };
    const errors: string[] = [];
    for (const pod of evictable) {
      const error = this.#evict(pod, force);
      if (error !== undefined) errors.push(`${pod.spec.name}: ${error}`);
    }
    if (errors.length > 0) return { state: 'refused', detail: errors.join('; ') };
    const remaining = this.#present().filter(pod => !pod.spec.isDaemon);
    if (remaining.length === 0) return { state: 'drained' };
    return {
      state: 'draining',
      remaining: remaining.length,
      detail: `still there: ${formatNames(remaining)}`,
    };
  }

  /** Returns the error of the eviction, if any. Ignores pods that are already evicted. */
  #evict(pod: Pod, force: boolean): string | undefined {
    const { evictionError, blockedForMs = 0, goneAfterMs = 0 } = pod.spec;
    const nowMs = this.#clock.monotonicMs();
    if (pod.goneAtMs !== undefined) return undefined;
    if (evictionError !== undefined && !force) return evictionError;
    pod.blockedUntilMs ??= nowMs + blockedForMs;
    if (force || nowMs >= pod.blockedUntilMs) pod.goneAtMs = nowMs + goneAfterMs;
    return undefined;
  }

  #present(): readonly Pod[] {
    const nowMs = this.#clock.monotonicMs();
    this.#pods = this.#pods.filter(({ goneAtMs = Number.POSITIVE_INFINITY }) => goneAtMs > nowMs);
    return this.#pods;
  }
}

/** Delays after a boot of the host. */
export interface BootDelays {
  /** Until the manager reports the new boot. Before, it reports the previous state, even ready. */
  readonly reportedAfterMs: number;
  readonly readyAfterMs: number;
}

export class SimulatedNode {
  readonly address: Address;
  readonly pods: SimulatedPods;
  /** Overrides the delays of the manager. */
  bootDelays: BootDelays | undefined;
  disruptionError: string | undefined;
  /** Empty string: cordoned without an owner. */
  #cordonedBy: string | undefined;
  readonly #clock: Clock;
  readonly #onCordonChange: (cordonedBy: string | undefined) => void;

  constructor(address: Address, clock: Clock, onCordonChange: (cordonedBy: string | undefined) => void) {
    this.address = address;
    this.#clock = clock;
    this.#onCordonChange = onCordonChange;
    this.pods = new SimulatedPods(clock);
  }

  get cordonedBy(): string | undefined {
    return this.#cordonedBy;
  }

  /** A manual cordon; `undefined` makes the node schedulable. */
  set cordonedBy(owner: string | undefined) {
    if (owner === this.#cordonedBy) return;
    this.#cordonedBy = owner;
    this.#onCordonChange(owner);
  }

  cordon(owner: CordonOwner): 'cordoned' | 'cordoned_by_other' {
    if (this.#cordonedBy !== undefined && !isHostlerOwner(this.#cordonedBy)) return 'cordoned_by_other';
    this.cordonedBy = owner;
    return 'cordoned';
  }

  uncordon(owner: CordonOwner): 'uncordoned' | 'not_owner' {
    if (this.#cordonedBy !== undefined && this.#cordonedBy !== owner) return 'not_owner';
    this.cordonedBy = undefined;
    return 'uncordoned';
  }

  /**
   * `boots` of the host, oldest first; empty if the manager does not report boots. The manager does not
   * notice when a node goes down.
   */
  report(boots: readonly { readonly bootId: string; readonly atMs: number }[], delays: BootDelays): NodeReport {
    const { reportedAfterMs, readyAfterMs } = this.bootDelays ?? delays;
    const nowMs = this.#clock.now();
    const [first, ...later] = boots;
    const reported = later.findLast(({ atMs }) => nowMs >= atMs + reportedAfterMs);
    const bootId = (reported ?? first)?.bootId;
    return {
      state: 'registered',
      name: `node-${this.address}`,
      ready: reported === undefined || nowMs >= reported.atMs + readyAfterMs,
      schedulable: this.#cordonedBy === undefined,
      ...(bootId !== undefined && { bootId }),
      ...(this.#cordonedBy !== undefined && { cordonedBy: this.#cordonedBy }),
    };
  }
}
