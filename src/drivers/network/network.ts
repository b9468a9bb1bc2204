import type { TObject } from 'typebox';
import type { Address } from '../../domain/addresses/address.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';
import type { CommandPlan, ConnectionCheck, HostRef } from '../command-plan.ts';

// A network driver connects hosts to a network in which their containers reach each other. All calls are idempotent.
// Drivers must not overwrite the configuration of others; leaving reverts exactly what joining did. A call that fails
// throws an error with a message for the user.

export interface Network {
  /** Whether a host joins the network itself, or as a node of its container manager after it is registered. */
  readonly joinsAs: 'host' | 'node';
  checkConnection(): Promise<ConnectionCheck>;
  /** Creates the configuration that hosts read before the first host joins. Returns the reason if no host can join. */
  ensureConfigured(): Promise<string | undefined>;
  /** Returns the commands that connect a host, with a query that confirms it; `null` if the host has nothing to run. */
  joinPlan(host: HostRef): Promise<CommandPlan | null>;
  /** Returns the commands that revert the join plan; `null` if the host has nothing to run. */
  leavePlan(host: HostRef): Promise<CommandPlan | null>;
  /** Releases what the servers of the network store for a host that has left or is gone. */
  releaseHost(node: Address): Promise<void>;
}

export interface NetworkContext<Options = Readonly<Record<string, unknown>>> {
  readonly name: string;
  /** Validated, so a driver declares the static type of its schema. Secrets are in plain text. */
  readonly options: Options;
  /** Endpoints in the configuration of the server, for records without endpoints; can be empty. */
  readonly etcdEndpoints: readonly string[];
  /** Type of the container manager of the cluster; null if there is no manager or no cluster. */
  readonly managerType: string | null;
  readonly connections: ConnectionPool;
  /** Checked before each request. Returns false after this server has lost its lease. */
  readonly mayProceed: () => boolean;
}

export interface NetworkDriver {
  readonly type: string;
  readonly summary: string;
  /** Schema of the options of a record. Properties with `secret: true` are stored encrypted. */
  readonly options: TObject;
  /** Options that identify the network, with their defaults. They cannot be changed while a cluster uses the record. */
  readonly immutableOptions?: Readonly<Record<string, unknown>>;
  open(context: NetworkContext): Network;
}
