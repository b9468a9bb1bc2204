import type { RecordName } from './record-name.ts';
import type { Sealed } from './secret.ts';

/** A network or a container manager: a name, the type of the driver that serves it, and that driver's options. */
export interface DriverRecord {
  readonly name: RecordName;
  readonly type: string;
  /** The options that are no secret, as they were sent. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The others, encrypted, by option name. */
  readonly sealedOptions: Readonly<Record<string, Sealed>>;
  /** New with every change; the record's ETag. */
  readonly revision: string;
}

/** What a driver remembers for one record, on whichever server: what no server of its own tells, and hints that it verifies. */
export interface DriverMemory {
  get(key: string): Promise<string | undefined>;
  /** Writes if what is there is still `from`; `undefined`: nothing. Answers whether it was. */
  compareAndSet(key: string, expected: string | undefined, value: string): Promise<boolean>;
  delete(key: string): Promise<void>;
}
