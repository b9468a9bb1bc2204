/** What a driver remembers for one record, on whichever server: what no server of its own tells, and hints that it verifies. */
export interface DriverMemory {
  get(key: string): Promise<string | undefined>;
  /** Writes if what is there is still `from`; `undefined`: nothing. Answers whether it was. */
  compareAndSet(key: string, from: string | undefined, to: string): Promise<boolean>;
  delete(key: string): Promise<void>;
}
