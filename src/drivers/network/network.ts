import type { TObject } from 'typebox';
import type { Address } from '../../domain/addresses/address.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';
import type { CommandPlan, ConnectionCheck, HostRef } from '../command-plan.ts';

// A network driver brings hosts into a network in which their containers reach each other, and takes them out again. Every call may be
// repeated: entering twice changes nothing. What must hold: what somebody else has configured is never overwritten; leaving undoes what
// entering did, and nothing else. A call that cannot be carried out throws, with a message for people.

/** A network that a record describes. */
export interface Network {
  /** Whether its servers answer, and agree with the options. Changes nothing. */
  checkConnection(): Promise<ConnectionCheck>;
  /** Sees to it that what hosts read is there, before the first of them enters. A text: why no host can enter. */
  ensureConfigured(): Promise<string | undefined>;
  /** What a host has to do to be in it, and how that is proved. null: nothing. */
  joinPlan(host: HostRef): Promise<CommandPlan | null>;
  /** What undoes that. null: nothing. */
  leavePlan(host: HostRef): Promise<CommandPlan | null>;
  /** Takes back what the network's servers keep for a host that has left, or is gone. */
  releaseHost(node: Address): Promise<void>;
}

/** What a driver is given to serve one record. */
export interface NetworkContext {
  /** Stays the same when the options change. */
  readonly name: string;
  /** As the schema allows them, secrets in clear. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The etcd of the configuration, for records that name none; empty: there is none either. */
  readonly etcdEndpoints: readonly string[];
  /** The type of the container manager that the cluster has; null: none, or the question is not about a cluster. */
  readonly managerType: string | null;
  readonly connections: ConnectionPool;
  /** Asked right before anything is sent: whether we still may. */
  readonly mayProceed: () => boolean;
}

export interface NetworkDriver {
  /** What a network record's `type` says. */
  readonly type: string;
  readonly summary: string;
  /** The schema of the record's options. Unknown options are refused; a property with `secret: true` is kept encrypted. */
  readonly options: TObject;
  /** Options that say which network it is, each with what it is where it is not given. They stay while a cluster uses a record. */
  readonly immutableOptions?: Readonly<Record<string, unknown>>;
  /** Whether a host enters by itself, or comes into it as a node of its container manager, once it is one. */
  readonly joinsAs: 'host' | 'node';
  open(context: NetworkContext): Network;
}

/** A network that a record describes, and how hosts come into it. */
export interface OpenNetwork extends Pick<NetworkDriver, 'joinsAs'> {
  readonly network: Network;
}
