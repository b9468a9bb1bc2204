import type { DriverMemory } from '../domain/driver-memory.ts';
import type { Records } from './records.ts';
import type { Store } from './store.ts';

/** Throws, in the transaction of a write, when that must not be any more. */
export type WriteGuard = (records: Records) => Promise<void>;

/** What the driver of one record remembers; each change is a transaction of its own. */
export function driverMemoryOf(store: Store, scope: string, guard?: WriteGuard): DriverMemory {
  const write = (work: (records: Records) => Promise<void>) =>
    store.transaction(async records => {
      await guard?.(records);
      await work(records);
    });
  return {
    get: key => store.reads.driverMemory.get(scope, key),
    set: (key, value) => write(records => records.driverMemory.set(scope, key, value)),
    delete: key => write(records => records.driverMemory.delete(scope, key)),
  };
}
