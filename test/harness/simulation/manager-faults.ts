import type { ContainerManager } from '../../../src/drivers/container-manager/container-manager.ts';
import type { FaultTarget, ManagerFault } from '../faults.ts';

export type ManagerCallName = keyof ContainerManager;

/** The faults of one container manager. */
export class ManagerFaults implements FaultTarget<ManagerFault> {
  /** The affected calls; none means all. */
  readonly #faults = new Map<ManagerFault, readonly ManagerCallName[]>();

  /** Affects these calls, or all. */
  inject(fault: ManagerFault, ...calls: readonly ManagerCallName[]): void {
    this.#faults.set(fault, calls);
  }

  revert(fault: ManagerFault): void {
    this.#faults.delete(fault);
  }

  #affects(fault: ManagerFault, call: ManagerCallName | undefined): boolean {
    const calls = this.#faults.get(fault);
    return calls !== undefined && (calls.length === 0 || (call !== undefined && calls.includes(call)));
  }

  /** Throws for `fail_manager`, and returns a promise that never resolves for `hang_manager`. */
  check(call?: ManagerCallName): Promise<never> | undefined {
    if (this.#affects('hang_manager', call)) return new Promise<never>(() => {});
    if (this.#affects('fail_manager', call)) throw new Error('connection refused');
    return undefined;
  }
}
