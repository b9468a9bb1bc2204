import type { Address } from '../../domain/addresses/address.ts';
import type { CommandPlan, ConnectionCheck, HostRef } from '../command-plan.ts';
import type { RecordContext, RecordDriver } from '../record-driver.ts';

// All calls are idempotent. Drivers must not overwrite the configuration of others; leaving reverts exactly what
// joining did. A failed call throws an error with a message for the user.

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

export interface NetworkContext<Options = Readonly<Record<string, unknown>>> extends RecordContext<Options> {
  /** Endpoints in the configuration of the server, for records without endpoints; can be empty. */
  readonly etcdEndpoints: readonly string[];
  /** Type of the container manager of the cluster; null if there is no manager or no cluster. */
  readonly managerType: string | null;
}

export interface NetworkDriver extends RecordDriver {
  open(context: NetworkContext): Network;
}
