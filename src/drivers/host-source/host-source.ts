import type { TObject } from 'typebox';
import type { Address } from '../../domain/addresses/address.ts';
import type { SourceFacts, SourceReadError } from '../../domain/hosts/host-facts.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';

// A host source driver reads the facts that another system has about hosts. It changes nothing there, and omits facts
// that the system does not provide. A call that fails throws an error with a message for the user.

export interface HostSource {
  /** Whether each read fetches all records of the system, so that many hosts should be read in one call. */
  readonly isBulk?: true;
  /** Omits unknown hosts. Throws if no host could be read. */
  read(hosts: readonly Address[]): Promise<ReadonlyMap<Address, SourceFacts | SourceReadError>>;
  /** Calls `onChange` at the start and when facts may have changed. The caller starts a watch that ended again. */
  watch?(onChange: () => void, signal: AbortSignal): Promise<void>;
}

export interface HostSourceContext<Options = Readonly<Record<string, unknown>>> {
  /** Validated, so a driver declares the static type of its schema. */
  readonly options: Options;
  readonly connections: ConnectionPool;
}

export interface HostSourceDriver {
  readonly type: string;
  readonly summary: string;
  /** Schema of the driver options in the configuration, without `name`, `type` and `refresh_s`. */
  readonly options: TObject;
  open(context: HostSourceContext): HostSource;
}
