import type { RecordName } from './record-name.ts';
import type { Sealed } from './secret.ts';

/** A network or container manager: its name, the type of its driver and the options of that driver. */
export interface DriverRecord {
  readonly name: RecordName;
  readonly type: string;
  /** The options that are not secret. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The secret options, encrypted, by option name. */
  readonly sealedOptions: Readonly<Record<string, Sealed>>;
  /** The ETag of the record. Changes with every update. */
  readonly revision: string;
}

/**
 * Key-value storage of a driver for one record, shared by all servers: state that no remote server holds, and hints
 * that the driver verifies.
 */
export interface DriverMemory {
  get(key: string): Promise<string | undefined>;
  /**
   * Writes `value` only if the stored value is still `expected` (`undefined`: no value). Returns whether it was
   * written.
   */
  compareAndSet(key: string, expected: string | undefined, value: string): Promise<boolean>;
  delete(key: string): Promise<void>;
}
