import type { RecordName } from './record-name.ts';
import type { Sealed } from './secret.ts';

/** A network or container manager. */
export interface DriverRecord {
  readonly name: RecordName;
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly sealedOptions: Readonly<Record<string, Sealed>>;
  /** The ETag. Changes with every update. */
  readonly revision: string;
}

/** Key-value storage of a driver, shared by all servers: state that no remote server holds, and hints to verify. */
export interface DriverMemory {
  get(key: string): Promise<string | undefined>;
  /** Compares with `expected` (`undefined`: no value). Returns whether `value` was written. */
  compareAndSet(key: string, expected: string | undefined, value: string): Promise<boolean>;
  delete(key: string): Promise<void>;
}
