/** What a driver without a server of its own remembers for one record, from one start to the next. */
export interface DriverMemory {
  get(key: string): Promise<string | undefined>;
  /** Writes if what is there is still `from`; `undefined`: nothing. Answers whether it was. */
  compareAndSet(key: string, from: string | undefined, to: string): Promise<boolean>;
  delete(key: string): Promise<void>;
}
