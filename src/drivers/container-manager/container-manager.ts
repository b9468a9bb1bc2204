import type { TObject } from 'typebox';
import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-record.ts';
import type { CordonOwner } from '../../domain/rollout/operation-host.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';
import type { CommandPlan, ConnectionCheck, HostRef } from '../command-plan.ts';

// A container manager driver brings hosts into a container manager as nodes, says how they are there, and takes them out of service
// for a while. Every call may be repeated. What must hold: a node is known by the address of its host; a node that people have
// cordoned stays cordoned; no other node is touched. A call that cannot be carried out throws, with a message for people.

/** A container manager that a record describes. */
export interface ContainerManager {
  /** Whether it answers and lets us do what we have to. Changes nothing. */
  checkConnection(): Promise<ConnectionCheck>;
  /** What a host that is no node yet has to do to become one; makes ready what that takes. null: nothing. */
  joinPlan(host: HostRef): Promise<CommandPlan | null>;
  /** Takes a host in that has done its task, and takes back what was made ready for that. A text: why it is no node yet. */
  register(host: HostRef): Promise<string | undefined>;
  /** Forgets a node; also one that it never knew, or whose host is gone. */
  remove(node: Address): Promise<void>;
  /** What a host has to do that is no node any more. null: nothing. */
  leavePlan(host: HostRef): Promise<CommandPlan | null>;
  report(node: Address): Promise<NodeReport>;
  /**
   * Makes a node unschedulable under our mark. One that was so before without a mark of ours is `foreign`, and stays as it is. Any
   * mark of ours is replaced by this one.
   */
  cordon(node: Address, owner: CordonOwner): Promise<'cordoned' | 'cordoned_by_other'>;
  /**
   * Makes a node schedulable if the mark on it is still this one, in one conditional write. One that is schedulable already is
   * `uncordoned` too; one that is unschedulable for another reason, or unknown, is `not_ours`.
   */
  uncordon(node: Address, owner: CordonOwner): Promise<'uncordoned' | 'not_owner'>;
  /**
   * One pass: asks everything that may go to go, and does not wait for it. A node is drained when nothing is left on it that has to
   * go. `force`: also what has no controller, and what refuses.
   */
  drain(node: Address, options: { readonly force: boolean }): Promise<DrainReport>;
  /** Why a node may not be taken out of service now; `undefined`: it may. */
  checkDisruption(node: Address): Promise<string | undefined>;
  /** The nodes that the manager itself runs on. */
  controlPlane(): Promise<readonly Address[]>;
}

/** What a driver is given to serve one record. */
export interface ContainerManagerContext {
  readonly name: string;
  /** As the schema allows them, secrets in clear. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly memory: DriverMemory;
  readonly connections: ConnectionPool;
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
  readonly immutableOptions?: Readonly<Record<string, unknown>>;
  /** Operations that its clusters do not take, and why. */
  readonly unsupportedOperations?: Readonly<Partial<Record<OperationKind, string>>>;
  open(context: ContainerManagerContext): ContainerManager;
}

/** What a container manager says of a node. */
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

/** What came of one pass of a drain. */
export type DrainReport =
  | { readonly state: 'drained' }
  | { readonly state: 'draining'; readonly remaining: number; readonly detail: string }
  /** Something will not go without force. */
  | { readonly state: 'refused'; readonly detail: string };

/** Others may remember something at the same moment; then it is theirs that is kept. */
export async function setIfChanged(memory: DriverMemory, key: string, value: string): Promise<void> {
  const current = await memory.get(key);
  if (current !== value) await memory.compareAndSet(key, current, value);
}
