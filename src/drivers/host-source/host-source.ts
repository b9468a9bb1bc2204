import type { TObject } from 'typebox';
import type { Address } from '../../domain/addresses/address.ts';
import type { SourceFacts, SourceReadError } from '../../domain/hosts/host-facts.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';

// A host source driver reads what another system knows of hosts. It changes nothing there, and it never guesses: what the other system
// does not tell is missing in its answer. A call that cannot be carried out throws, with a message for people.

/** A host source of the configuration. */
export interface HostSource {
  /** Whether it reads all that the other system knows whenever it is asked: then it is asked for many hosts at once. */
  readonly isBulk?: true;
  /** What it knows of these hosts; those that it does not know are missing. It throws where none of them could be read. */
  read(hosts: readonly Address[]): Promise<ReadonlyMap<Address, SourceFacts | SourceReadError>>;
  /**
   * Calls back when it has begun, and whenever something may have changed, until the signal ends it: then it is read at once, and not
   * only when its time has come. It comes back when it cannot go on; it is begun again later. Missing where nobody tells.
   */
  watch?(onChange: () => void, signal: AbortSignal): Promise<void>;
}

/** What a driver is given to serve one source. */
export interface HostSourceContext {
  /** As the schema allows them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly connections: ConnectionPool;
}

export interface HostSourceDriver {
  /** What a source's `type` says. */
  readonly type: string;
  readonly summary: string;
  /** The schema of what stands beside `name`, `type` and `refresh_s` in the configuration. Unknown options are refused. */
  readonly options: TObject;
  open(context: HostSourceContext): HostSource;
}
