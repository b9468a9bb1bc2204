import type { TObject } from 'typebox';
import type { Connections } from '../../clients/connections.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-memory.ts';
import type { CordonMark } from '../../domain/rolling/cordon-mark.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { CheckReport } from '../check-report.ts';
import type { HostTask, TaskHost } from '../host-task.ts';
import type { DrainReport, NodeReport } from './node-report.ts';

// A container manager driver brings hosts into a container manager as nodes, says how they are there, and takes them out of service
// for a while. Every call may be repeated. What must hold: a node is known by the address of its host; a node that people have
// cordoned stays cordoned; no other node is touched. A call that cannot be carried out throws, with a message for people.

/** A container manager that a record describes. */
export interface ContainerManager {
  /** Whether it answers and lets us do what we have to. Changes nothing. */
  check(): Promise<CheckReport>;
  /** What a host that is no node yet has to do to become one; makes ready what that takes. null: nothing. */
  joinTask(host: TaskHost): Promise<HostTask | null>;
  /** Takes a host in that has done its task, and takes back what was made ready for that. A text: why it is no node yet. */
  register(host: TaskHost): Promise<string | undefined>;
  /** Forgets a node; also one that it never knew, or whose host is gone. */
  remove(node: Address): Promise<void>;
  /** What a host has to do that is no node any more. null: nothing. */
  leaveTask(host: TaskHost): Promise<HostTask | null>;
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
  readonly name: string;
  /** As the schema allows them, secrets in clear. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly memory: DriverMemory;
  readonly connections: Connections;
  /** Asked right before anything is sent: whether we still may. A server that was frozen changes nothing when it wakes up. */
  readonly mayProceed: () => boolean;
}

export interface ContainerManagerDriver {
  /** What a container manager record's `type` says. */
  readonly type: string;
  readonly summary: string;
  /** The schema of the record's options. Unknown options are refused; a property with `secret: true` is kept encrypted. */
  readonly options: TObject;
  /**
   * Options that say which server it is, each with what it is where it is not given. While a cluster uses a record they stay: its
   * members would be nodes of a server that nobody asks any more.
   */
  readonly identity?: Readonly<Record<string, unknown>>;
  /** Operations that its clusters do not take, and why. */
  readonly refuses?: Readonly<Partial<Record<OperationKind, string>>>;
  open(record: ContainerManagerRecord): ContainerManager;
}
