import type { TObject } from 'typebox';
import type { Address } from '../../domain/address.ts';
import type { DriverMemory } from '../../domain/driver-memory.ts';
import type { CordonMark } from '../../domain/rolling/cordon-mark.ts';

// A container manager driver brings hosts into a container manager as nodes, says how they are there, and takes them out of service
// for a while. Every call may be repeated: registering, draining or uncordoning twice is fine. What must hold: a node that people have
// cordoned stays cordoned. A call that cannot be carried out throws, with a message for people.

export type NodeReport =
  | {
      readonly state: 'registered';
      /** The node's own name there. */
      readonly name: string;
      readonly ready: boolean;
      readonly schedulable: boolean;
      /** Of the boot that the rest is about; absent where the manager does not tell. */
      readonly bootId?: string;
      /** The mark of who cordoned it, empty when there is none. Absent when nobody has. */
      readonly cordonedBy?: string;
    }
  | { readonly state: 'unknown' }
  | { readonly state: 'unavailable'; readonly reason: string };

export type DrainReport =
  | { readonly state: 'drained' }
  | { readonly state: 'draining'; readonly left: number; readonly detail: string }
  /** Something will not go without force. */
  | { readonly state: 'refused'; readonly detail: string };

/** A container manager that a record describes. */
export interface ContainerManager {
  register(node: Address): Promise<void>;
  remove(node: Address): Promise<void>;
  report(node: Address): Promise<NodeReport>;
  /**
   * Makes a node unschedulable under our mark. One that was so before without a mark of ours is `foreign`, and stays as it is. Any
   * mark of ours is replaced by this one.
   */
  cordon(node: Address, mark: CordonMark): Promise<'cordoned' | 'foreign'>;
  /**
   * Makes a node schedulable if the mark on it is still this one, in one conditional write. One that is schedulable already is
   * `uncordoned` too; one that is unschedulable for another reason, or unknown, is `not_ours`.
   */
  uncordon(node: Address, mark: CordonMark): Promise<'uncordoned' | 'not_ours'>;
  /**
   * One pass: asks everything that may go to go, and does not wait for it. A node is drained when nothing is left on it that has to
   * go. `force`: also what has no controller, and what refuses.
   */
  drain(node: Address, how: { readonly force: boolean }): Promise<DrainReport>;
  /** Why a node may not be taken out of service now; `undefined`: it may. */
  disruptionProblem(node: Address): Promise<string | undefined>;
  /** The nodes that the manager itself runs on. */
  controlPlane(): Promise<readonly Address[]>;
}

/** What a driver is given to serve one record. */
export interface ContainerManagerRecord {
  /** As the schema allows them, secrets in clear. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly memory: DriverMemory;
  /** Asked right before anything is sent: whether we still may. A server that was frozen changes nothing when it wakes up. */
  readonly mayProceed: () => boolean;
}

export interface ContainerManagerDriver {
  /** What a container manager record's `type` says. */
  readonly type: string;
  readonly summary: string;
  /** The schema of the record's options. Unknown options are refused; a property with `secret: true` is kept encrypted. */
  readonly options: TObject;
  /** Missing where the records are kept and checked, but nothing can be asked of the manager yet. */
  readonly open?: (record: ContainerManagerRecord) => ContainerManager;
}
