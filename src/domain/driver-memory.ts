/** What a driver without a server of its own remembers for one record, from one start to the next. */
export interface DriverMemory {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}
