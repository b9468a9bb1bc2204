// Metrics and their allowed growth per unit of work. Limits depend on the work, so that a slow machine has no
// laxer limits; it only needs a longer run. They are slightly above the noise of half an hour on two busy
// cores (the recorded run), which allows about 250 MiB of heap per day: smaller growth cannot be detected in
// that time. The heap test over 50,000 requests finds leaks of some bytes per request. RSS has a wider limit,
// because Node keeps free memory. Dead rows are not judged, because autovacuum removes thousands at once; the
// store size includes them.

import type { ServerUsage } from '../programs/server-process.ts';
import type { Measured, WorkPerHour } from './growth-verdict.ts';
import type { StoreUsage } from './soak-store.ts';

type Limit = Measured['limitPerHour'];

const BYTES_PER_MIB = 1024 ** 2;
const BYTES_PER_REQUEST = 768;
const BYTES_PER_CHECK = 192;
const RSS_FACTOR = 5;
/** A log row has several hundred bytes. */
const BYTES_PER_EVENT = 128;
/** One of this many may remain. */
const ONE_IN = 4;
const THREADS_PER_HOUR = 3;

const memoryLimit: Limit = ({ servers, requests, checks }) =>
  (requests * BYTES_PER_REQUEST + checks * BYTES_PER_CHECK) / servers / BYTES_PER_MIB;
const fractionOf =
  (kind: Exclude<keyof WorkPerHour, 'servers'>): Limit =>
  work =>
    work[kind] / ONE_IN;

const SERVER_LIMITS: Readonly<Record<keyof ServerUsage, Omit<Measured, 'what'> & { readonly name: string }>> = {
  heapMib: { name: 'heap after a collection', unit: 'MiB', limitPerHour: memoryLimit },
  externalMib: { name: 'buffers beside the heap', unit: 'MiB', limitPerHour: memoryLimit },
  memoryMib: { name: 'memory (RSS)', unit: 'MiB', limitPerHour: work => RSS_FACTOR * memoryLimit(work) },
  handles: {
    ...{ name: 'open files and sockets', unit: '' },
    limitPerHour: work => fractionOf('readers')(work) / work.servers,
  },
  threads: { name: 'threads', unit: '', limitPerHour: () => THREADS_PER_HOUR },
};

const STORE_LIMITS: Readonly<Record<Exclude<keyof StoreUsage, 'rows' | 'lastEvent' | 'oldest'>, Measured>> = {
  sizeMib: {
    ...{ what: 'store: size', unit: 'MiB' },
    limitPerHour: ({ events }) => (events * BYTES_PER_EVENT) / BYTES_PER_MIB,
  },
  connections: { what: 'store: connections', unit: '', limitPerHour: () => THREADS_PER_HOUR },
};

/** Tables with their own kind of work; all others grow with hosts and records. */
const ROW_LIMITS: Readonly<Record<string, Limit>> = {
  log: fractionOf('events'),
  outbox: fractionOf('events'),
  operations: fractionOf('operations'),
  operation_hosts: fractionOf('operationHosts'),
  operation_output: fractionOf('operationHosts'),
  sessions: fractionOf('readers'),
  tasks: fractionOf('operationHosts'),
};

export interface MeasuredValue {
  readonly measured: Measured;
  readonly value: number;
}

export const serverValues = (name: string, usage: ServerUsage): readonly MeasuredValue[] =>
  Object.entries(SERVER_LIMITS).map(([key, { name: what, ...rest }]) => ({
    measured: { what: `${name}: ${what}`, ...rest },
    value: usage[key as keyof ServerUsage],
  }));

export const storeValues = ({ sizeMib, connections, rows }: StoreUsage): readonly MeasuredValue[] => [
  { measured: STORE_LIMITS.sizeMib, value: sizeMib },
  { measured: STORE_LIMITS.connections, value: connections },
  ...Object.entries(rows).map(([table, value]) => ({
    measured: { what: `rows: ${table}`, unit: '', limitPerHour: ROW_LIMITS[table] ?? fractionOf('transient_hosts') },
    value,
  })),
];
