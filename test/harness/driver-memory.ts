import type { DriverMemory } from '../../src/domain/driver-record.ts';

/** What a driver remembers, in a map. */
export function driverMemory(values = new Map<string, string>()): DriverMemory {
  return {
    get: async key => values.get(key),
    compareAndSet: async (key, from, to) => {
      const isStill = values.get(key) === from;
      if (isStill) values.set(key, to);
      return isStill;
    },
    delete: async key => void values.delete(key),
  };
}
