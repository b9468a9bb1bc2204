import type { Address } from '../../domain/addresses/address.ts';
import type { DriverMemory } from '../../domain/driver-record.ts';
import type { CordonOwner } from '../../domain/rollout/operation-host.ts';
import { isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { CommandPlan, ConnectionCheck, HostRef } from '../command-plan.ts';
import type { RecordContext, RecordDriver } from '../record-driver.ts';

// All calls are idempotent. A node is identified by the address of its host. Drivers must not uncordon nodes that an
// administrator cordoned, nor change other nodes. A failed call throws an error with a message for the user.

export interface ContainerManager {
  checkConnection(): Promise<ConnectionCheck>;
  /** Also prepares the manager, for example with a join token. `null` if the host has nothing to run. */
  joinPlan(host: HostRef): Promise<CommandPlan | null>;
  /** Called after the join plan; removes join credentials. Returns the reason if the host is not a node yet. */
  register(host: HostRef): Promise<string | undefined>;
  /** Removes a node. Also succeeds if the node is unknown or its host is gone. */
  remove(node: Address): Promise<void>;
  /** Returns the commands that a host runs after it was removed; `null` if the host has nothing to run. */
  leavePlan(host: HostRef): Promise<CommandPlan | null>;
  report(node: Address): Promise<NodeReport>;
  /** Replaces a cordon of another Hostler owner. A cordon that is not from Hostler stays (`cordoned_by_other`). */
  cordon(node: Address, owner: CordonOwner): Promise<'cordoned' | 'cordoned_by_other'>;
  /** In one conditional write. `uncordoned` also if the node is schedulable already; `not_owner` also if unknown. */
  uncordon(node: Address, owner: CordonOwner): Promise<'uncordoned' | 'not_owner'>;
  /** Starts the eviction of everything that must leave. `force` also deletes what is blocked or has no controller. */
  drain(node: Address, options: { readonly force: boolean }): Promise<DrainReport>;
  checkDisruption(node: Address): Promise<string | undefined>;
  controlPlane(): Promise<readonly Address[]>;
}

export interface ContainerManagerContext<Options = Readonly<Record<string, unknown>>> extends RecordContext<Options> {
  readonly memory: DriverMemory;
}

export interface ContainerManagerDriver extends RecordDriver {
  /** Operations that clusters with this manager do not support, with the reason. */
  readonly unsupportedOperations?: Readonly<Partial<Record<OperationKind, string>>>;
  open(context: ContainerManagerContext): ContainerManager;
}

export type NodeReport =
  | {
      readonly state: 'registered';
      readonly name: string;
      readonly ready: boolean;
      readonly schedulable: boolean;
      /** Boot that this report refers to; absent if the manager does not report it. */
      readonly bootId?: string;
      /** Owner of the cordon, empty if the cordon has none. Absent if the node is not cordoned. */
      readonly cordonedBy?: string;
    }
  | { readonly state: 'unknown' }
  | { readonly state: 'unavailable'; readonly reason: string };

export type DrainReport =
  | { readonly state: 'drained' }
  | { readonly state: 'draining'; readonly remaining: number; readonly detail: string }
  | { readonly state: 'refused'; readonly detail: string };

/** A concurrent write by another server wins. */
export async function setIfChanged(memory: DriverMemory, key: string, value: string): Promise<void> {
  const current = await memory.get(key);
  if (current !== value) await memory.compareAndSet(key, current, value);
}

/** Whether the others keep a majority. One or two members have none to keep. */
export const keepsQuorum = (members: number, othersReady: number): boolean =>
  members < 3 || othersReady >= Math.floor(members / 2) + 1;

export const isCordonedByOther = (cordonedBy: string | undefined): boolean =>
  cordonedBy !== undefined && !isHostlerOwner(cordonedBy);
