// The store: every record, behind one interface. Repositories are written once, for both engines; `sqlite/` and `postgres/` hold
// only what differs. What must hold: what a transaction answered is on disk; what it refused left no trace.

import type { Refusal } from '../domain/errors.ts';
import type { Records } from './records.ts';

export interface Store {
  /** Reads of what is committed, each on its own. */
  readonly records: Records;
  /**
   * Runs `work` in one transaction and answers what it answers, once that is durable. A Refusal or an exception rolls it
   * back. It may run more than once when the engine asks for that, so it has no effects but on the records.
   */
  transaction<T>(work: (records: Records) => Promise<T>): Promise<T | Refusal>;
  /** Throws when the store cannot be reached. */
  ping(): Promise<void>;
  /** Whether an error means that the store cannot be reached at this moment, rather than that something is wrong with us. */
  isUnavailable(error: unknown): boolean;
  close(): Promise<void>;
}
