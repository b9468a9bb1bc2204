/** How many rows or addresses one statement names: engines limit its parameters, and SQLite serves nothing else until it ends. */
const CHUNK = 250;

export const chunksOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  );
