// What is measured, and how much of it a day may bring. A server that runs for a year has to be restarted for other reasons long before
// the limits for memory would do harm; a leak of a hundred bytes with each request would be far above them. Where no leak could be as
// small as the limit, such as with threads, it is what one reading may be off by. RSS has a wide one: Node keeps room that it may need again,
// and twenty minutes do not tell that from a leak; what is used of it, on the heap and beside it, is measured by itself.

import type { Holdings } from './soak-server.ts';
import type { StoreHoldings } from './store-holdings.ts';
import type { Measured } from './verdict.ts';

type Limit = Measured['limitPerDay'];

const atMost =
  (limit: number): Limit =>
  () =>
    limit;
/** As much again; of what is little, so much. */
const twofold =
  (least: number): Limit =>
  first =>
    Math.max(least, first);

const HOLDINGS: Readonly<Record<keyof Holdings, Omit<Measured, 'what'> & { readonly name: string }>> = {
  heapMib: { name: 'heap after a collection', unit: 'MiB', limitPerDay: atMost(64) },
  besideMib: { name: 'buffers beside the heap', unit: 'MiB', limitPerDay: atMost(64) },
  memoryMib: { name: 'memory (RSS)', unit: 'MiB', limitPerDay: atMost(512) },
  handles: { name: 'open files and sockets', unit: '', limitPerDay: atMost(100) },
  threads: { name: 'threads', unit: '', limitPerDay: atMost(5) },
};

const STORE: Readonly<Record<Exclude<keyof StoreHoldings, 'rows' | 'lastEvent'>, Measured>> = {
  sizeMib: { what: 'store: size', unit: 'MiB', limitPerDay: twofold(50) },
  dead: { what: 'store: dead rows', unit: '', limitPerDay: twofold(5000) },
  connections: { what: 'store: connections', unit: '', limitPerDay: atMost(30) },
};

const ROWS = twofold(500);

export const LAG = { what: 'events: delay', unit: 'ms', limitPerDay: twofold(200) } satisfies Measured;

export interface Value {
  readonly measured: Measured;
  readonly value: number;
}

export const valuesOfServer = (name: string, holdings: Holdings): readonly Value[] =>
  Object.entries(HOLDINGS).map(([key, { name: what, ...rest }]) => ({
    measured: { what: `${name}: ${what}`, ...rest },
    value: holdings[key as keyof Holdings],
  }));

export const valuesOfStore = ({ rows, ...others }: Omit<StoreHoldings, 'lastEvent'>): readonly Value[] => [
  ...Object.entries(STORE).map(([key, measured]) => ({
    measured,
    value: others[key as keyof typeof others],
  })),
  ...Object.entries(rows).map(([table, value]) => ({
    measured: { what: `rows: ${table}`, unit: '', limitPerDay: ROWS },
    value,
  })),
];
