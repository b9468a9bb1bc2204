import type { DriverMemory } from '../domain/driver-record.ts';
import type { Records } from './records.ts';
import type { Store } from './store.ts';

/** Throws, in the transaction of a write, when that must not be any more. */
export type WriteGuard = (records: Records) => Promise<void>;

/** What the driver of one record remembers; each change is a transaction of its own. */
export function driverMemoryOf(store: Store, scope: string, guard?: WriteGuard): DriverMemory {
  const write = <T>(work: (records: Records) => Promise<T>) =>
    store.transaction(async records => {
      await guard?.(records);
      return work(records);
    });
  return {
    get: key => store.reads.driverMemory.get(scope, key),
    compareAndSet: (key, from, to) =>
      write(records => records.driverMemory.compareAndSet(scope, key, from, to)),
    delete: key => write(records => records.driverMemory.delete(scope, key)),
  };
}
