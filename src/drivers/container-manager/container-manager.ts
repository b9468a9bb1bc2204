import type { TObject } from 'typebox';
import type { Address } from '../../domain/address.ts';
import type { DriverMemory } from '../../domain/driver-memory.ts';

// A container manager driver brings hosts into a container manager as nodes, and says how they are there.
// Every call may be repeated: registering or removing twice is fine.

export type NodeReport =
  | {
      readonly state: 'registered';
      /** The node's own name there. */
      readonly name: string;
      readonly ready: boolean;
      readonly schedulable: boolean;
    }
  | { readonly state: 'unknown' }
  | { readonly state: 'unavailable'; readonly reason: string };

/** A container manager that a record describes. */
export interface ContainerManager {
  register(node: Address): Promise<void>;
  remove(node: Address): Promise<void>;
  report(node: Address): Promise<NodeReport>;
}

/** What a driver is given to serve one record. */
export interface ContainerManagerRecord {
  /** As the schema allows them, secrets in clear. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly memory: DriverMemory;
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
