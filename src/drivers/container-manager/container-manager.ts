import type { TObject } from 'typebox';
import type { Address } from '../../domain/address.ts';
import type { DriverMemory } from '../../domain/driver-memory.ts';

// A container manager driver brings hosts into a container manager as nodes, and says how they are there.
// Every call may be repeated: registering or removing twice is fine.

export interface NodeReport {
  /** The node's own name there. */
  readonly name: string;
  readonly ready: boolean;
  readonly schedulable: boolean;
}

/** A container manager that a record describes. */
export interface ContainerManager {
  register(node: Address): Promise<void>;
  remove(node: Address): Promise<void>;
  /** `undefined`: it does not know the node. */
  report(node: Address): Promise<NodeReport | undefined>;
}

export interface ContainerManagerDriver {
  /** What a container manager record's `type` says. */
  readonly type: string;
  readonly summary: string;
  /** The schema of the record's options. Unknown options are refused; a property with `secret: true` is kept encrypted. */
  readonly options: TObject;
  /** Missing where the records are kept and checked, but nothing can be asked of the manager yet. */
  readonly open?: (memory: DriverMemory) => ContainerManager;
}
