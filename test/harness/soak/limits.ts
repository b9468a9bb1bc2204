// What is measured, and how much of it may stay of the work that is done. Limits go with the work, so that a slow machine is no laxer than
// a fast one; it has to run for longer until something can be told. They are a little above the noise of half an hour on two busy cores
// (`kept-run.json`), so that heap may rise by some 250 MiB in a day at that pace: less cannot be told from none in so short a time. A leak
// of some bytes with each request is far below that: the test of the heap over 50,000 requests is for it. RSS has a wider limit: Node
// keeps room that it may need again. Rows that are no longer needed and dead are not judged by themselves: autovacuum lets them come and
// go by thousands, and what it leaves behind is in the size.

import type { Holdings } from './soak-server.ts';
import type { StoreHoldings } from './store-holdings.ts';
import type { Measured } from './verdict.ts';
import type { WorkPerHour } from './work-per-hour.ts';

type Limit = Measured['limitPerHour'];

const BYTES_PER_MIB = 1024 ** 2;
const BYTES_PER_REQUEST = 768;
const BYTES_PER_CHECK = 192;
const RSS_TIMES = 5;
/** A row of the log has some hundred. */
const BYTES_PER_EVENT = 128;
/** Of so many that come, one may stay. */
const ONE_OF = 4;
const THREADS_PER_HOUR = 3;

const memory: Limit = ({ servers, requests, checks }) =>
  (requests * BYTES_PER_REQUEST + checks * BYTES_PER_CHECK) / servers / BYTES_PER_MIB;
const someOf =
  (kind: Exclude<keyof WorkPerHour, 'servers'>): Limit =>
  work =>
    work[kind] / ONE_OF;

const HOLDINGS: Readonly<Record<keyof Holdings, Omit<Measured, 'what'> & { readonly name: string }>> = {
  heapMib: { name: 'heap after a collection', unit: 'MiB', limitPerHour: memory },
  besideMib: { name: 'buffers beside the heap', unit: 'MiB', limitPerHour: memory },
  memoryMib: { name: 'memory (RSS)', unit: 'MiB', limitPerHour: work => RSS_TIMES * memory(work) },
  handles: {
    ...{ name: 'open files and sockets', unit: '' },
    limitPerHour: work => someOf('readers')(work) / work.servers,
  },
  threads: { name: 'threads', unit: '', limitPerHour: () => THREADS_PER_HOUR },
};

const STORE: Readonly<Record<Exclude<keyof StoreHoldings, 'rows' | 'lastEvent' | 'oldest'>, Measured>> = {
  sizeMib: {
    ...{ what: 'store: size', unit: 'MiB' },
    limitPerHour: ({ events }) => (events * BYTES_PER_EVENT) / BYTES_PER_MIB,
  },
  connections: { what: 'store: connections', unit: '', limitPerHour: () => THREADS_PER_HOUR },
};

/** What has rows of its own in each table; all others have them of hosts and records that come and go. */
const ROWS: Readonly<Record<string, Limit>> = {
  log: someOf('events'),
  outbox: someOf('events'),
  operations: someOf('operations'),
  operation_hosts: someOf('operationHosts'),
  operation_output: someOf('operationHosts'),
  sessions: someOf('readers'),
  tasks: someOf('operationHosts'),
};

export interface Value {
  readonly measured: Measured;
  readonly value: number;
}

export const valuesOfServer = (name: string, holdings: Holdings): readonly Value[] =>
  Object.entries(HOLDINGS).map(([key, { name: what, ...rest }]) => ({
    measured: { what: `${name}: ${what}`, ...rest },
    value: holdings[key as keyof Holdings],
  }));

export const valuesOfStore = ({ sizeMib, connections, rows }: StoreHoldings): readonly Value[] => [
  { measured: STORE.sizeMib, value: sizeMib },
  { measured: STORE.connections, value: connections },
  ...Object.entries(rows).map(([table, value]) => ({
    measured: { what: `rows: ${table}`, unit: '', limitPerHour: ROWS[table] ?? someOf('guests') },
    value,
  })),
];
