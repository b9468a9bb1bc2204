import type { DriverMemory } from '../domain/driver-memory.ts';
import type { Store } from './store.ts';

/** What the driver of one record remembers; each change is a transaction of its own. */
export const driverMemoryOf = (store: Store, scope: string): DriverMemory => ({
  get: key => store.reads.driverMemory.get(scope, key),
  set: (key, value) => store.transaction(records => records.driverMemory.set(scope, key, value)),
  delete: key => store.transaction(records => records.driverMemory.delete(scope, key)),
});
