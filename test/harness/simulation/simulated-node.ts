import type { Address } from '../../../src/domain/addresses/address.ts';
import type { CordonOwner } from '../../../src/domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../../src/domain/rollout/operation-host.ts';
import type { NodeReport } from '../../../src/drivers/container-manager/container-manager.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { SimulatedPods } from './simulated-pods.ts';

/** How late a manager is when a host has booted. */
export interface BootDelays {
  /** Until it hears of the boot; it says what it said before so long, also that the node is ready. */
  readonly heardAfterMs: number;
  /** Until the node is ready. */
  readonly readyAfterMs: number;
}

/** One node of a simulated container manager. */
export class SimulatedNode {
  readonly address: Address;
  readonly pods: SimulatedPods;
  /** Instead of those of the manager. */
  bootDelays: BootDelays | undefined;
  disruptionProblem: string | undefined;
  /** Empty: without a mark. */
  #cordonedBy: string | undefined;
  readonly #clock: Clock;
  readonly #told: (cordonedBy: string | undefined) => void;

  /** `told` is called when the node is cordoned or uncordoned. */
  constructor(address: Address, clock: Clock, told: (cordonedBy: string | undefined) => void) {
    this.address = address;
    this.#clock = clock;
    this.#told = told;
    this.pods = new SimulatedPods(clock);
  }

  get cordonedBy(): string | undefined {
    return this.#cordonedBy;
  }

  /** As people do, who ask nobody: `undefined` makes it schedulable. */
  set cordonedBy(mark: string | undefined) {
    if (mark === this.#cordonedBy) return;
    this.#cordonedBy = mark;
    this.#told(mark);
  }

  cordon(mark: CordonOwner): 'cordoned' | 'cordoned_by_other' {
    if (this.#cordonedBy !== undefined && !isHostlerOwner(this.#cordonedBy)) return 'cordoned_by_other';
    this.cordonedBy = mark;
    return 'cordoned';
  }

  uncordon(mark: CordonOwner): 'uncordoned' | 'not_owner' {
    if (this.#cordonedBy !== undefined && this.#cordonedBy !== mark) return 'not_owner';
    this.cordonedBy = undefined;
    return 'uncordoned';
  }

  /** `boots` are those of its host, oldest first; none where the manager does not tell them. A node is not seen to go down. */
  report(
    boots: readonly { readonly bootId: string; readonly atMs: number }[],
    delays: BootDelays,
  ): NodeReport {
    const { heardAfterMs, readyAfterMs } = this.bootDelays ?? delays;
    const nowMs = this.#clock.now();
    const [first, ...later] = boots;
    const heard = later.findLast(({ atMs }) => nowMs >= atMs + heardAfterMs);
    const bootId = (heard ?? first)?.bootId;
    return {
      state: 'registered',
      name: `node-${this.address}`,
      ready: heard === undefined || nowMs >= heard.atMs + readyAfterMs,
      schedulable: this.#cordonedBy === undefined,
      ...(bootId !== undefined && { bootId }),
      ...(this.#cordonedBy !== undefined && { cordonedBy: this.#cordonedBy }),
    };
  }
}
